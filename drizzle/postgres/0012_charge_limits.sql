CREATE TABLE "budget_uses" (
	"record_version" bigint NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"id_token" text COLLATE "C" NOT NULL,
	"began_at" bigint NOT NULL,
	"session_id" text COLLATE "C" NOT NULL,
	"energy_milli_wh" bigint NOT NULL,
	"cost_micros" bigint,
	"currency" text COLLATE "C",
	CONSTRAINT "budget_uses_key" PRIMARY KEY("account_id","id_token","began_at","session_id")
);

--> statement-breakpoint
ALTER TABLE "id_tokens" ADD COLUMN "session_limits" text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "id_tokens" ADD COLUMN "budget" text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "id_tokens" ADD COLUMN "priority" bigint;
