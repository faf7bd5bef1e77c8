CREATE TABLE "tariff_versions" (
	"record_version" bigint NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"place" text COLLATE "C" NOT NULL,
	"since" bigint NOT NULL,
	"version" bigint NOT NULL,
	"tariff_id" text COLLATE "C" NOT NULL,
	"rates" text COLLATE "C",
	CONSTRAINT "tariff_versions_key" PRIMARY KEY("account_id","place","since","version")
);
--> statement-breakpoint
INSERT INTO "tariff_versions" SELECT 1, "account_id", coalesce("charge_point_id", ''), "created_at", "version", "id",
	json_build_object('currency', "currency", 'perKwhMicros', "per_kwh_micros", 'perMinuteMicros', "per_minute_micros", 'perSessionMicros', "per_session_micros", 'idlePerMinuteMicros', "idle_per_minute_micros")::text
FROM "tariffs";
