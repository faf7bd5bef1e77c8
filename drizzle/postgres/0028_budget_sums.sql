CREATE TABLE "budget_sums" (
	"record_version" bigint NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"id_token" text COLLATE "C" NOT NULL,
	"per" text COLLATE "C" NOT NULL,
	"period_from" bigint NOT NULL,
	"currency" text COLLATE "C" NOT NULL,
	"energy_milli_wh" bigint NOT NULL,
	"cost_micros" bigint NOT NULL,
	"changed_at" bigint NOT NULL,
	CONSTRAINT "budget_sums_key" PRIMARY KEY("account_id","id_token","per","period_from","currency")
);

--> statement-breakpoint
DROP TABLE "budget_uses" CASCADE;
--> statement-breakpoint
CREATE INDEX "budget_sums_changed_at" ON "budget_sums" USING btree ("changed_at");
