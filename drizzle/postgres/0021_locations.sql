CREATE TABLE "evse_names" (
	"record_version" bigint NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"location_id" text COLLATE "C" NOT NULL,
	"uid" text COLLATE "C" NOT NULL,
	CONSTRAINT "evse_names_key" PRIMARY KEY("account_id","name")
);

--> statement-breakpoint
CREATE TABLE "location_changes" (
	"record_version" bigint NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"location_id" text COLLATE "C" NOT NULL,
	"changed_at" bigint NOT NULL,
	CONSTRAINT "location_changes_key" PRIMARY KEY("account_id","location_id")
);

--> statement-breakpoint
DROP INDEX "locations_account_id_last_updated";
--> statement-breakpoint
ALTER TABLE "location_evses" ADD COLUMN "unknown_due_at" bigint;
--> statement-breakpoint
CREATE INDEX "location_changes_account_id_changed_at" ON "location_changes" USING btree ("account_id","changed_at");
--> statement-breakpoint
CREATE INDEX "location_evses_unknown_due_at" ON "location_evses" USING btree ("unknown_due_at");
