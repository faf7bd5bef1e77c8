CREATE TABLE "sent_reports" (
	"record_version" bigint NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"mail" text COLLATE "C" NOT NULL,
	"period_from" bigint NOT NULL,
	"period_below" bigint NOT NULL,
	"sent_at" bigint NOT NULL,
	CONSTRAINT "sent_reports_key" PRIMARY KEY("account_id","name","mail")
);

--> statement-breakpoint
ALTER TABLE "alert_rules" ADD COLUMN "escalation" text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "alerts" ADD COLUMN "escalated_at" bigint;
--> statement-breakpoint
ALTER TABLE "session_reports" ADD COLUMN "format" text COLLATE "C" DEFAULT 'csv' NOT NULL;
--> statement-breakpoint
ALTER TABLE "report_mails" ADD COLUMN "format" text COLLATE "C" DEFAULT 'csv' NOT NULL;
--> statement-breakpoint
ALTER TABLE "report_mails" ADD COLUMN "failure" text COLLATE "C";
--> statement-breakpoint
CREATE INDEX "sent_reports_sent_at" ON "sent_reports" USING btree ("sent_at");
--> statement-breakpoint
CREATE INDEX "report_mails_account_id_name" ON "report_mails" USING btree ("account_id","name");
