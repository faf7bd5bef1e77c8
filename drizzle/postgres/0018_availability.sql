CREATE TABLE "availability_orders" (
	"record_version" bigint NOT NULL,
	"charge_point_id" text COLLATE "C" NOT NULL,
	"id" bigint NOT NULL,
	"at" bigint NOT NULL,
	"evse_id" bigint,
	"connector_id" bigint,
	"available" bigint NOT NULL,
	CONSTRAINT "availability_orders_key" PRIMARY KEY("charge_point_id","id")
);

--> statement-breakpoint
CREATE INDEX "availability_orders_at" ON "availability_orders" USING btree ("at");
