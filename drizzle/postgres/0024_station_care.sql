CREATE TABLE "station_care" (
	"record_version" bigint NOT NULL,
	"charge_point_id" text COLLATE "C" NOT NULL,
	"at" bigint NOT NULL,
	"by" text COLLATE "C" NOT NULL,
	CONSTRAINT "station_care_key" PRIMARY KEY("charge_point_id")
);

