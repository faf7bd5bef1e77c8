CREATE TABLE "bulk_orders" (
	"record_version" bigint NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"id" text COLLATE "C" NOT NULL,
	"state" text COLLATE "C" NOT NULL,
	"reason" text COLLATE "C",
	"selector" text COLLATE "C" NOT NULL,
	"what" text COLLATE "C" NOT NULL,
	"is_sealed" bigint NOT NULL,
	"by" text COLLATE "C" NOT NULL,
	"capabilities" text COLLATE "C",
	"total" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"audit_id" bigint,
	"campaign_id" text COLLATE "C",
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	CONSTRAINT "bulk_orders_key" PRIMARY KEY("account_id","id")
);

--> statement-breakpoint
CREATE TABLE "bulk_order_rows" (
	"record_version" bigint NOT NULL,
	"order_id" text COLLATE "C" NOT NULL,
	"station_id" text COLLATE "C" NOT NULL,
	"state" text COLLATE "C" NOT NULL,
	"reason" text COLLATE "C",
	"command_id" text COLLATE "C",
	"is_ordered" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	CONSTRAINT "bulk_order_rows_key" PRIMARY KEY("order_id","station_id")
);

--> statement-breakpoint
CREATE TABLE "bulk_parts" (
	"record_version" bigint NOT NULL,
	"charge_point_id" text COLLATE "C" NOT NULL,
	"order_id" text COLLATE "C" NOT NULL,
	"state" text COLLATE "C" NOT NULL,
	"request_id" bigint,
	"created_at" bigint NOT NULL,
	CONSTRAINT "bulk_parts_key" PRIMARY KEY("charge_point_id","order_id")
);

--> statement-breakpoint
CREATE INDEX "bulk_orders_state" ON "bulk_orders" USING btree ("state");
--> statement-breakpoint
CREATE INDEX "bulk_orders_account_id_state" ON "bulk_orders" USING btree ("account_id","state");
--> statement-breakpoint
CREATE INDEX "bulk_orders_created_at" ON "bulk_orders" USING btree ("created_at");
--> statement-breakpoint
CREATE INDEX "bulk_order_rows_order_id_state" ON "bulk_order_rows" USING btree ("order_id","state");
--> statement-breakpoint
CREATE INDEX "bulk_order_rows_updated_at" ON "bulk_order_rows" USING btree ("updated_at");
