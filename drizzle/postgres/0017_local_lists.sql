CREATE TABLE "local_lists" (
	"record_version" bigint NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"selector" text COLLATE "C" NOT NULL,
	"tokens" text COLLATE "C" NOT NULL,
	"content_at" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"grant_id" text COLLATE "C",
	CONSTRAINT "local_lists_key" PRIMARY KEY("account_id","name")
);

--> statement-breakpoint
CREATE TABLE "local_list_entries" (
	"record_version" bigint NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"list" text COLLATE "C" NOT NULL,
	"id_token" text COLLATE "C" NOT NULL,
	"entry" text COLLATE "C" NOT NULL,
	"gone" bigint NOT NULL,
	"changed_at" bigint NOT NULL,
	CONSTRAINT "local_list_entries_key" PRIMARY KEY("account_id","list","id_token")
);

--> statement-breakpoint
CREATE TABLE "station_lists" (
	"record_version" bigint NOT NULL,
	"charge_point_id" text COLLATE "C" NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"list" text COLLATE "C",
	"wanted_at" bigint NOT NULL,
	"held" text COLLATE "C",
	"held_at" bigint,
	"series" text COLLATE "C",
	"version" bigint NOT NULL,
	"asks_version" bigint NOT NULL,
	"state" text COLLATE "C" NOT NULL,
	"reason" text COLLATE "C",
	"attempts" bigint NOT NULL,
	"next_attempt_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	CONSTRAINT "station_lists_key" PRIMARY KEY("charge_point_id")
);

--> statement-breakpoint
CREATE INDEX "local_lists_content_at" ON "local_lists" USING btree ("content_at");
--> statement-breakpoint
CREATE INDEX "local_list_entries_account_id_list_changed_at" ON "local_list_entries" USING btree ("account_id","list","changed_at");
--> statement-breakpoint
CREATE INDEX "station_lists_account_id_charge_point_id" ON "station_lists" USING btree ("account_id","charge_point_id");
