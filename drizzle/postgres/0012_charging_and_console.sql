CREATE TABLE "identities" (
	"issuer" text COLLATE "C" NOT NULL,
	"subject" text COLLATE "C" NOT NULL,
	"user_id" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL,
	CONSTRAINT "identities_key" PRIMARY KEY("issuer","subject")
);

--> statement-breakpoint
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
CREATE TABLE "alert_mailings" (
	"record_version" bigint NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"rule_id" text COLLATE "C" NOT NULL,
	"mail" text COLLATE "C" NOT NULL,
	"sent_at" bigint NOT NULL,
	CONSTRAINT "alert_mailings_key" PRIMARY KEY("account_id","rule_id","mail")
);

--> statement-breakpoint
CREATE TABLE "station_care" (
	"record_version" bigint NOT NULL,
	"charge_point_id" text COLLATE "C" NOT NULL,
	"at" bigint NOT NULL,
	"by" text COLLATE "C" NOT NULL,
	CONSTRAINT "station_care_key" PRIMARY KEY("charge_point_id")
);

--> statement-breakpoint
CREATE TABLE "budget_sums" (
	"record_version" bigint NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"id_token" text COLLATE "C" NOT NULL,
	"per" text COLLATE "C" NOT NULL,
	"period_from" bigint NOT NULL,
	"currency" text COLLATE "C" NOT NULL,
	"energy_milli_wh" bigint NOT NULL,
	"cost_micros" bigint NOT NULL,
	"changed_at" bigint NOT NULL,
	CONSTRAINT "budget_sums_key" PRIMARY KEY("account_id","id_token","per","period_from","currency")
);

--> statement-breakpoint
CREATE TABLE "preferences" (
	"record_version" bigint NOT NULL,
	"user_id" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"value" text COLLATE "C" NOT NULL,
	CONSTRAINT "preferences_key" PRIMARY KEY("user_id","name")
);

--> statement-breakpoint
CREATE TABLE "charging_demands" (
	"record_version" bigint NOT NULL,
	"charge_point_id" text COLLATE "C" NOT NULL,
	"owner" text COLLATE "C" NOT NULL,
	"evse_id" bigint NOT NULL,
	"caps" text COLLATE "C" NOT NULL,
	"asked" text COLLATE "C",
	"revision" bigint NOT NULL,
	"applied_revision" bigint,
	"accepted_at" bigint,
	"state" text COLLATE "C" NOT NULL,
	"reason" text COLLATE "C",
	"grant_id" text COLLATE "C",
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	CONSTRAINT "charging_demands_key" PRIMARY KEY("charge_point_id","owner","evse_id")
);

--> statement-breakpoint
CREATE TABLE "charging_profiles" (
	"record_version" bigint NOT NULL,
	"charge_point_id" text COLLATE "C" NOT NULL,
	"source" text COLLATE "C" NOT NULL,
	"id" bigint NOT NULL,
	"evse_id" bigint NOT NULL,
	"purpose" text COLLATE "C" NOT NULL,
	"stack_level" bigint NOT NULL,
	"transaction_id" text COLLATE "C",
	"valid_from" bigint,
	"valid_to" bigint,
	"owner" text COLLATE "C" NOT NULL,
	"profile" text COLLATE "C" NOT NULL,
	"state" text COLLATE "C" NOT NULL,
	"basis" text COLLATE "C",
	"form" text COLLATE "C",
	"refused_forms" text COLLATE "C",
	"reason" text COLLATE "C",
	"attempts" bigint NOT NULL,
	"next_attempt_at" bigint,
	"accepted_at" bigint,
	"grant_id" text COLLATE "C",
	"updated_at" bigint NOT NULL,
	CONSTRAINT "charging_profiles_key" PRIMARY KEY("charge_point_id","source","id")
);

--> statement-breakpoint
CREATE TABLE "charging_stations" (
	"record_version" bigint NOT NULL,
	"charge_point_id" text COLLATE "C" NOT NULL,
	"abilities" text COLLATE "C",
	"firmware_version" text COLLATE "C",
	"is_known" bigint NOT NULL,
	"clears_foreign" bigint NOT NULL,
	"reading" text COLLATE "C",
	"next_request_id" bigint NOT NULL,
	"is_unsupported" bigint NOT NULL,
	"key_amps" bigint,
	"attempts" bigint NOT NULL,
	"next_attempt_at" bigint,
	"proofs" text COLLATE "C" NOT NULL,
	"resumed_at" text COLLATE "C" NOT NULL,
	"needs" text COLLATE "C" NOT NULL,
	"updated_at" bigint NOT NULL,
	CONSTRAINT "charging_stations_key" PRIMARY KEY("charge_point_id")
);

--> statement-breakpoint
CREATE TABLE "charging_forms" (
	"record_version" bigint NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"vendor" text COLLATE "C" NOT NULL,
	"model" text COLLATE "C" NOT NULL,
	"firmware_version" text COLLATE "C" NOT NULL,
	"refused" text COLLATE "C" NOT NULL,
	"updated_at" bigint NOT NULL,
	CONSTRAINT "charging_forms_key" PRIMARY KEY("account_id","vendor","model","firmware_version")
);

--> statement-breakpoint
CREATE TABLE "model_abilities" (
	"record_version" bigint NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"vendor" text COLLATE "C" NOT NULL,
	"model" text COLLATE "C" NOT NULL,
	"limit_key" text COLLATE "C",
	"abilities" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	CONSTRAINT "model_abilities_key" PRIMARY KEY("account_id","vendor","model")
);

--> statement-breakpoint
CREATE TABLE "wirings" (
	"record_version" bigint NOT NULL,
	"charge_point_id" text COLLATE "C" NOT NULL,
	"connectors" text COLLATE "C" NOT NULL,
	"priority" bigint,
	"updated_at" bigint NOT NULL,
	CONSTRAINT "wirings_key" PRIMARY KEY("charge_point_id")
);

--> statement-breakpoint
CREATE TABLE "local_lists" (
	"record_version" bigint NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"selector" text COLLATE "C" NOT NULL,
	"tokens" text COLLATE "C" NOT NULL,
	"content_at" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"grant_id" text COLLATE "C",
	CONSTRAINT "local_lists_key" PRIMARY KEY("account_id","name")
);

--> statement-breakpoint
CREATE TABLE "local_list_entries" (
	"record_version" bigint NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"list" text COLLATE "C" NOT NULL,
	"id_token" text COLLATE "C" NOT NULL,
	"entry" text COLLATE "C" NOT NULL,
	"gone" bigint NOT NULL,
	"changed_at" bigint NOT NULL,
	CONSTRAINT "local_list_entries_key" PRIMARY KEY("account_id","list","id_token")
);

--> statement-breakpoint
CREATE TABLE "station_lists" (
	"record_version" bigint NOT NULL,
	"charge_point_id" text COLLATE "C" NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"list" text COLLATE "C",
	"wanted_at" bigint NOT NULL,
	"held" text COLLATE "C",
	"held_at" bigint,
	"series" text COLLATE "C",
	"version" bigint NOT NULL,
	"asks_version" bigint NOT NULL,
	"state" text COLLATE "C" NOT NULL,
	"reason" text COLLATE "C",
	"attempts" bigint NOT NULL,
	"next_attempt_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"forgotten" text COLLATE "C",
	CONSTRAINT "station_lists_key" PRIMARY KEY("charge_point_id")
);

--> statement-breakpoint
CREATE TABLE "limit_groups" (
	"record_version" bigint NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"desired" text COLLATE "C" NOT NULL,
	"revision" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	CONSTRAINT "limit_groups_key" PRIMARY KEY("account_id","name")
);

--> statement-breakpoint
CREATE TABLE "limit_group_inputs" (
	"record_version" bigint NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"given" text COLLATE "C" NOT NULL,
	"at" bigint NOT NULL,
	CONSTRAINT "limit_group_inputs_key" PRIMARY KEY("account_id","name","kind")
);

--> statement-breakpoint
CREATE TABLE "limit_shares" (
	"record_version" bigint NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"charge_point_id" text COLLATE "C" NOT NULL,
	"evse_id" bigint NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"state" text COLLATE "C" NOT NULL,
	"updated_at" bigint NOT NULL,
	CONSTRAINT "limit_shares_key" PRIMARY KEY("account_id","charge_point_id","evse_id")
);

--> statement-breakpoint
CREATE TABLE "limit_plans" (
	"record_version" bigint NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"root" text COLLATE "C" NOT NULL,
	"revision" bigint NOT NULL,
	"told" text COLLATE "C" NOT NULL,
	"at" bigint NOT NULL,
	CONSTRAINT "limit_plans_key" PRIMARY KEY("account_id","root")
);

--> statement-breakpoint
CREATE TABLE "limit_minutes" (
	"record_version" bigint NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"at" bigint NOT NULL,
	"limit_amps" text COLLATE "C" NOT NULL,
	"allowed_amps" text COLLATE "C" NOT NULL,
	"draw_amps" text COLLATE "C" NOT NULL,
	"load_amps" text COLLATE "C",
	"external" text COLLATE "C",
	"draws" text COLLATE "C",
	CONSTRAINT "limit_minutes_key" PRIMARY KEY("account_id","name","at")
);

--> statement-breakpoint
CREATE TABLE "session_reports" (
	"record_version" bigint NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"group_by" text COLLATE "C" NOT NULL,
	"schedule" text COLLATE "C" NOT NULL,
	"targets" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"due_at" bigint NOT NULL,
	CONSTRAINT "session_reports_key" PRIMARY KEY("account_id","name")
);

--> statement-breakpoint
CREATE TABLE "report_mails" (
	"record_version" bigint NOT NULL,
	"id" text COLLATE "C" NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"mail" text COLLATE "C" NOT NULL,
	"group_by" text COLLATE "C" NOT NULL,
	"period_from" bigint NOT NULL,
	"period_below" bigint NOT NULL,
	"due_at" bigint NOT NULL,
	"attempts" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	CONSTRAINT "report_mails_key" PRIMARY KEY("id")
);

--> statement-breakpoint
CREATE TABLE "site_places" (
	"record_version" bigint NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"site" text COLLATE "C" NOT NULL,
	"coordinates" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	CONSTRAINT "site_places_key" PRIMARY KEY("account_id","site")
);

--> statement-breakpoint
ALTER TABLE "id_tokens" ADD COLUMN "session_limits" text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "id_tokens" ADD COLUMN "budget" text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "id_tokens" ADD COLUMN "priority" bigint;
--> statement-breakpoint
ALTER TABLE "id_tokens" ADD COLUMN "language" text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "break_glass" bigint;
--> statement-breakpoint
ALTER TABLE "device_models" ADD COLUMN "display_due_at" bigint;
--> statement-breakpoint
ALTER TABLE "device_models" ADD COLUMN "display_failures" bigint;
--> statement-breakpoint
ALTER TABLE "intents" ADD COLUMN "grant_id" text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "identities" ADD CONSTRAINT "identities_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
CREATE UNIQUE INDEX "identities_user" ON "identities" USING btree ("user_id","issuer");
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
--> statement-breakpoint
CREATE INDEX "availability_orders_at" ON "availability_orders" USING btree ("at");
--> statement-breakpoint
CREATE INDEX "reservations_id" ON "reservations" USING btree ("id");
--> statement-breakpoint
CREATE INDEX "reservations_expires_at" ON "reservations" USING btree ("expires_at");
--> statement-breakpoint
CREATE INDEX "customer_requests_id" ON "customer_requests" USING btree ("id");
--> statement-breakpoint
CREATE INDEX "customer_requests_due_at" ON "customer_requests" USING btree ("due_at");
--> statement-breakpoint
CREATE INDEX "customer_requests_grant_id" ON "customer_requests" USING btree ("grant_id");
--> statement-breakpoint
CREATE INDEX "alert_mailings_sent_at" ON "alert_mailings" USING btree ("sent_at");
--> statement-breakpoint
CREATE INDEX "budget_sums_changed_at" ON "budget_sums" USING btree ("changed_at");
--> statement-breakpoint
CREATE INDEX "charging_demands_grant_id" ON "charging_demands" USING btree ("grant_id");
--> statement-breakpoint
CREATE INDEX "charging_profiles_grant_id" ON "charging_profiles" USING btree ("grant_id");
--> statement-breakpoint
CREATE INDEX "local_lists_content_at" ON "local_lists" USING btree ("content_at");
--> statement-breakpoint
CREATE INDEX "local_list_entries_account_id_list_changed_at" ON "local_list_entries" USING btree ("account_id","list","changed_at");
--> statement-breakpoint
CREATE INDEX "station_lists_account_id_charge_point_id" ON "station_lists" USING btree ("account_id","charge_point_id");
--> statement-breakpoint
CREATE INDEX "limit_minutes_at" ON "limit_minutes" USING btree ("at");
--> statement-breakpoint
CREATE INDEX "session_reports_due_at" ON "session_reports" USING btree ("due_at");
--> statement-breakpoint
CREATE INDEX "report_mails_due_at" ON "report_mails" USING btree ("due_at");
--> statement-breakpoint
CREATE INDEX "report_mails_created_at" ON "report_mails" USING btree ("created_at");
--> statement-breakpoint
CREATE INDEX "intents_grant_id" ON "intents" USING btree ("grant_id");
--> statement-breakpoint
CREATE INDEX "sessions_begun" ON "sessions" USING btree (account_id,(CASE WHEN started_at IS NULL THEN created_at ELSE started_at END),id,charge_point_id) WHERE state IN ('completed', 'failed');
