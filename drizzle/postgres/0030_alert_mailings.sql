CREATE TABLE "alert_mailings" (
	"record_version" bigint NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"rule_id" text COLLATE "C" NOT NULL,
	"mail" text COLLATE "C" NOT NULL,
	"sent_at" bigint NOT NULL,
	CONSTRAINT "alert_mailings_key" PRIMARY KEY("account_id","rule_id","mail")
);

--> statement-breakpoint
CREATE INDEX "alert_mailings_sent_at" ON "alert_mailings" USING btree ("sent_at");
