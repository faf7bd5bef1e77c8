CREATE TABLE "afir_pushes" (
	"record_version" bigint NOT NULL,
	"url" text COLLATE "C" NOT NULL,
	"confirmed_at" bigint NOT NULL,
	"deltas" bigint NOT NULL,
	"snapshot_at" bigint NOT NULL,
	CONSTRAINT "afir_pushes_key" PRIMARY KEY("url")
);

