CREATE TABLE "station_messages" (
	"record_version" bigint NOT NULL,
	"charge_point_id" text COLLATE "C" NOT NULL,
	"id" bigint NOT NULL,
	"message" text COLLATE "C" NOT NULL,
	"seen_in" bigint,
	"updated_at" bigint NOT NULL,
	CONSTRAINT "station_messages_key" PRIMARY KEY("charge_point_id","id")
);

--> statement-breakpoint
ALTER TABLE "intents" ADD COLUMN "grant_id" text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "device_models" ADD COLUMN "display_due_at" bigint;
--> statement-breakpoint
ALTER TABLE "device_models" ADD COLUMN "display_failures" bigint;
--> statement-breakpoint
CREATE INDEX "intents_grant_id" ON "intents" USING btree ("grant_id");
