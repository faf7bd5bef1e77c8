CREATE TABLE "campaign_resumptions" (
	"record_version" bigint NOT NULL,
	"campaign_id" text COLLATE "C" NOT NULL,
	"at" bigint NOT NULL,
	CONSTRAINT "campaign_resumptions_key" PRIMARY KEY("campaign_id")
);

