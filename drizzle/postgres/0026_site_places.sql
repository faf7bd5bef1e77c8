CREATE TABLE "site_places" (
	"record_version" bigint NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"site" text COLLATE "C" NOT NULL,
	"coordinates" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	CONSTRAINT "site_places_key" PRIMARY KEY("account_id","site")
);

