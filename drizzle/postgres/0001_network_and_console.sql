CREATE TABLE "alert_acknowledgements" (
	"record_version" bigint NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"alert_id" text COLLATE "C" NOT NULL,
	"at" bigint NOT NULL,
	"by" text COLLATE "C" NOT NULL,
	CONSTRAINT "alert_acknowledgements_key" PRIMARY KEY("account_id","alert_id")
);

--> statement-breakpoint
CREATE TABLE "connection_history" (
	"record_version" bigint NOT NULL,
	"charge_point_id" text COLLATE "C" NOT NULL,
	"id" bigint NOT NULL,
	"part" bigint NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"at" bigint NOT NULL,
	"details" text COLLATE "C" NOT NULL,
	"count" bigint NOT NULL,
	"last_at" bigint,
	CONSTRAINT "connection_history_key" PRIMARY KEY("charge_point_id","id","part")
);

--> statement-breakpoint
CREATE TABLE "data_transfers" (
	"record_version" bigint NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"vendor" text COLLATE "C" NOT NULL,
	"vendor_id" text COLLATE "C" NOT NULL,
	"status" text COLLATE "C" NOT NULL,
	"data" text COLLATE "C",
	"message_ids" text COLLATE "C",
	"updated_at" bigint NOT NULL,
	CONSTRAINT "data_transfers_key" PRIMARY KEY("account_id","vendor")
);

--> statement-breakpoint
CREATE TABLE "event_tallies" (
	"record_version" bigint NOT NULL,
	"charge_point_id" text COLLATE "C" NOT NULL,
	"hour" bigint NOT NULL,
	"kept" bigint NOT NULL,
	"dropped" bigint NOT NULL,
	CONSTRAINT "event_tallies_key" PRIMARY KEY("charge_point_id")
);

--> statement-breakpoint
CREATE TABLE "monitor_sets" (
	"record_version" bigint NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"selector" text COLLATE "C" NOT NULL,
	"monitors" text COLLATE "C" NOT NULL,
	"revision" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	CONSTRAINT "monitor_sets_key" PRIMARY KEY("account_id","name")
);

--> statement-breakpoint
CREATE TABLE "refused_connections" (
	"record_version" bigint NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"id" bigint NOT NULL,
	"station" text COLLATE "C" NOT NULL,
	"at" bigint NOT NULL,
	"last_at" bigint,
	"count" bigint NOT NULL,
	"reason" text COLLATE "C" NOT NULL,
	"detail" text COLLATE "C" NOT NULL,
	CONSTRAINT "refused_connections_key" PRIMARY KEY("account_id","id")
);

--> statement-breakpoint
CREATE TABLE "station_events" (
	"record_version" bigint NOT NULL,
	"charge_point_id" text COLLATE "C" NOT NULL,
	"newness" bigint NOT NULL,
	"id" text COLLATE "C" NOT NULL,
	"component_name" text COLLATE "C" NOT NULL,
	"event" text COLLATE "C" NOT NULL,
	"received_at" bigint NOT NULL,
	CONSTRAINT "station_events_key" PRIMARY KEY("charge_point_id","newness","id")
);

--> statement-breakpoint
CREATE TABLE "station_monitors" (
	"record_version" bigint NOT NULL,
	"charge_point_id" text COLLATE "C" NOT NULL,
	"id" bigint NOT NULL,
	"key" text COLLATE "C" NOT NULL,
	"monitor" text COLLATE "C" NOT NULL,
	"is_ours" bigint NOT NULL,
	"seen_in" bigint,
	"updated_at" bigint NOT NULL,
	CONSTRAINT "station_monitors_key" PRIMARY KEY("charge_point_id","id")
);

--> statement-breakpoint
CREATE TABLE "timeline_folds" (
	"record_version" bigint NOT NULL,
	"charge_point_id" text COLLATE "C" NOT NULL,
	"about" text COLLATE "C" NOT NULL,
	"id" bigint NOT NULL,
	"part" bigint NOT NULL,
	"at" bigint NOT NULL,
	"count" bigint NOT NULL,
	"since" bigint NOT NULL,
	"entries" bigint NOT NULL,
	"open_since" bigint,
	CONSTRAINT "timeline_folds_key" PRIMARY KEY("charge_point_id","about")
);

--> statement-breakpoint
ALTER TABLE "certificate_requests" ADD COLUMN "failed_at" bigint;
--> statement-breakpoint
ALTER TABLE "device_models" ADD COLUMN "monitors_due_at" bigint;
--> statement-breakpoint
ALTER TABLE "device_models" ADD COLUMN "monitor_failures" bigint;
--> statement-breakpoint
ALTER TABLE "reports" ADD COLUMN "subject" text COLLATE "C";
--> statement-breakpoint
CREATE INDEX "alert_acknowledgements_at" ON "alert_acknowledgements" USING btree ("at");
--> statement-breakpoint
CREATE INDEX "connection_history_at" ON "connection_history" USING btree ("at");
--> statement-breakpoint
CREATE INDEX "refused_connections_at" ON "refused_connections" USING btree ("at");
--> statement-breakpoint
CREATE INDEX "station_events_received_at" ON "station_events" USING btree ("received_at");
--> statement-breakpoint
CREATE INDEX "station_events_charge_point_id_component_name_newness_id" ON "station_events" USING btree ("charge_point_id","component_name","newness","id");
--> statement-breakpoint
CREATE INDEX "timeline_folds_open_since" ON "timeline_folds" USING btree ("open_since");
--> statement-breakpoint
CREATE INDEX "audit_events_at" ON "audit_events" USING btree ("at");
--> statement-breakpoint
CREATE INDEX "audit_events_ordered" ON "audit_events" USING btree ("outcome") WHERE "audit_events"."outcome" = 'ordered';
--> statement-breakpoint
CREATE INDEX "alerts_account_id_cleared_at" ON "alerts" USING btree ("account_id","cleared_at");
--> statement-breakpoint
CREATE INDEX "certificate_requests_account_id_failed_at" ON "certificate_requests" USING btree ("account_id","failed_at");
