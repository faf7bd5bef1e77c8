CREATE TABLE "reservations" (
	"record_version" bigint NOT NULL,
	"charge_point_id" text COLLATE "C" NOT NULL,
	"reservation_id" bigint NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"id" text COLLATE "C" NOT NULL,
	"asked" text COLLATE "C" NOT NULL,
	"state" text COLLATE "C" NOT NULL,
	"reason" text COLLATE "C",
	"session_id" text COLLATE "C",
	"is_cancelling" bigint NOT NULL,
	"next_attempt_at" bigint NOT NULL,
	"changes" text COLLATE "C" NOT NULL,
	"expires_at" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"grant_id" text COLLATE "C",
	CONSTRAINT "reservations_key" PRIMARY KEY("charge_point_id","reservation_id")
);

--> statement-breakpoint
CREATE INDEX "reservations_id" ON "reservations" USING btree ("id");
--> statement-breakpoint
CREATE INDEX "reservations_expires_at" ON "reservations" USING btree ("expires_at");
