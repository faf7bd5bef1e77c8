CREATE TABLE "model_quirks" (
	"record_version" bigint NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"vendor" text COLLATE "C" NOT NULL,
	"model" text COLLATE "C" NOT NULL,
	"firmware_version" text COLLATE "C" NOT NULL,
	"proved_by" text COLLATE "C" NOT NULL,
	"at" bigint NOT NULL,
	CONSTRAINT "model_quirks_key" PRIMARY KEY("account_id","vendor","model","firmware_version")
);

--> statement-breakpoint
CREATE TABLE "unanswered_reports" (
	"record_version" bigint NOT NULL,
	"charge_point_id" text COLLATE "C" NOT NULL,
	"count" bigint NOT NULL,
	CONSTRAINT "unanswered_reports_key" PRIMARY KEY("charge_point_id")
);

