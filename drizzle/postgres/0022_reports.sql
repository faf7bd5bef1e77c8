CREATE TABLE "session_reports" (
	"record_version" bigint NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"group_by" text COLLATE "C" NOT NULL,
	"schedule" text COLLATE "C" NOT NULL,
	"targets" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"due_at" bigint NOT NULL,
	CONSTRAINT "session_reports_key" PRIMARY KEY("account_id","name")
);

--> statement-breakpoint
CREATE TABLE "report_mails" (
	"record_version" bigint NOT NULL,
	"id" text COLLATE "C" NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"mail" text COLLATE "C" NOT NULL,
	"group_by" text COLLATE "C" NOT NULL,
	"period_from" bigint NOT NULL,
	"period_below" bigint NOT NULL,
	"due_at" bigint NOT NULL,
	"attempts" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	CONSTRAINT "report_mails_key" PRIMARY KEY("id")
);

--> statement-breakpoint
CREATE INDEX "session_reports_due_at" ON "session_reports" USING btree ("due_at");
--> statement-breakpoint
CREATE INDEX "report_mails_due_at" ON "report_mails" USING btree ("due_at");
--> statement-breakpoint
CREATE INDEX "report_mails_created_at" ON "report_mails" USING btree ("created_at");
