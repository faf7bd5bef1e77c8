CREATE TABLE "preferences" (
	"record_version" bigint NOT NULL,
	"user_id" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"value" text COLLATE "C" NOT NULL,
	CONSTRAINT "preferences_key" PRIMARY KEY("user_id","name")
);

