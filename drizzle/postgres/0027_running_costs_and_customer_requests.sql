CREATE TABLE "running_costs" (
	"record_version" bigint NOT NULL,
	"charge_point_id" text COLLATE "C" NOT NULL,
	"transaction_id" text COLLATE "C" NOT NULL,
	"session_id" text COLLATE "C" NOT NULL,
	"due_at" bigint,
	"is_final" bigint NOT NULL,
	"is_unsupported" bigint NOT NULL,
	"told_at" bigint,
	"updated_at" bigint NOT NULL,
	CONSTRAINT "running_costs_key" PRIMARY KEY("charge_point_id","transaction_id")
);

--> statement-breakpoint
CREATE TABLE "customer_requests" (
	"record_version" bigint NOT NULL,
	"charge_point_id" text COLLATE "C" NOT NULL,
	"request_id" bigint NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"id" text COLLATE "C" NOT NULL,
	"asked" text COLLATE "C" NOT NULL,
	"state" text COLLATE "C" NOT NULL,
	"reason" text COLLATE "C",
	"pages" text COLLATE "C" NOT NULL,
	"last_sequence" bigint,
	"due_at" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"grant_id" text COLLATE "C",
	CONSTRAINT "customer_requests_key" PRIMARY KEY("charge_point_id","request_id")
);

--> statement-breakpoint
ALTER TABLE "station_lists" ADD COLUMN "forgotten" text COLLATE "C";
--> statement-breakpoint
CREATE INDEX "customer_requests_id" ON "customer_requests" USING btree ("id");
--> statement-breakpoint
CREATE INDEX "customer_requests_due_at" ON "customer_requests" USING btree ("due_at");
--> statement-breakpoint
CREATE INDEX "customer_requests_grant_id" ON "customer_requests" USING btree ("grant_id");
