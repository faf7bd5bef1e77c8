CREATE TABLE "charging_demands" (
	"record_version" bigint NOT NULL,
	"charge_point_id" text COLLATE "C" NOT NULL,
	"owner" text COLLATE "C" NOT NULL,
	"evse_id" bigint NOT NULL,
	"caps" text COLLATE "C" NOT NULL,
	"asked" text COLLATE "C",
	"revision" bigint NOT NULL,
	"applied_revision" bigint,
	"accepted_at" bigint,
	"state" text COLLATE "C" NOT NULL,
	"reason" text COLLATE "C",
	"grant_id" text COLLATE "C",
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	CONSTRAINT "charging_demands_key" PRIMARY KEY("charge_point_id","owner","evse_id")
);

--> statement-breakpoint
CREATE TABLE "charging_profiles" (
	"record_version" bigint NOT NULL,
	"charge_point_id" text COLLATE "C" NOT NULL,
	"source" text COLLATE "C" NOT NULL,
	"id" bigint NOT NULL,
	"evse_id" bigint NOT NULL,
	"purpose" text COLLATE "C" NOT NULL,
	"stack_level" bigint NOT NULL,
	"transaction_id" text COLLATE "C",
	"valid_from" bigint,
	"valid_to" bigint,
	"owner" text COLLATE "C" NOT NULL,
	"profile" text COLLATE "C" NOT NULL,
	"state" text COLLATE "C" NOT NULL,
	"basis" text COLLATE "C",
	"form" text COLLATE "C",
	"refused_forms" text COLLATE "C",
	"reason" text COLLATE "C",
	"attempts" bigint NOT NULL,
	"next_attempt_at" bigint,
	"accepted_at" bigint,
	"grant_id" text COLLATE "C",
	"updated_at" bigint NOT NULL,
	CONSTRAINT "charging_profiles_key" PRIMARY KEY("charge_point_id","source","id")
);

--> statement-breakpoint
CREATE TABLE "charging_stations" (
	"record_version" bigint NOT NULL,
	"charge_point_id" text COLLATE "C" NOT NULL,
	"abilities" text COLLATE "C",
	"firmware_version" text COLLATE "C",
	"is_known" bigint NOT NULL,
	"clears_foreign" bigint NOT NULL,
	"reading" text COLLATE "C",
	"next_request_id" bigint NOT NULL,
	"is_unsupported" bigint NOT NULL,
	"key_amps" bigint,
	"attempts" bigint NOT NULL,
	"next_attempt_at" bigint,
	"proofs" text COLLATE "C" NOT NULL,
	"resumed_at" text COLLATE "C" NOT NULL,
	"needs" text COLLATE "C" NOT NULL,
	"updated_at" bigint NOT NULL,
	CONSTRAINT "charging_stations_key" PRIMARY KEY("charge_point_id")
);

--> statement-breakpoint
CREATE TABLE "charging_forms" (
	"record_version" bigint NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"vendor" text COLLATE "C" NOT NULL,
	"model" text COLLATE "C" NOT NULL,
	"firmware_version" text COLLATE "C" NOT NULL,
	"refused" text COLLATE "C" NOT NULL,
	"updated_at" bigint NOT NULL,
	CONSTRAINT "charging_forms_key" PRIMARY KEY("account_id","vendor","model","firmware_version")
);

--> statement-breakpoint
CREATE TABLE "model_abilities" (
	"record_version" bigint NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"vendor" text COLLATE "C" NOT NULL,
	"model" text COLLATE "C" NOT NULL,
	"limit_key" text COLLATE "C",
	"abilities" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	CONSTRAINT "model_abilities_key" PRIMARY KEY("account_id","vendor","model")
);

--> statement-breakpoint
CREATE TABLE "wirings" (
	"record_version" bigint NOT NULL,
	"charge_point_id" text COLLATE "C" NOT NULL,
	"connectors" text COLLATE "C" NOT NULL,
	"priority" bigint,
	"updated_at" bigint NOT NULL,
	CONSTRAINT "wirings_key" PRIMARY KEY("charge_point_id")
);

--> statement-breakpoint
CREATE INDEX "charging_demands_grant_id" ON "charging_demands" USING btree ("grant_id");
--> statement-breakpoint
CREATE INDEX "charging_profiles_grant_id" ON "charging_profiles" USING btree ("grant_id");
