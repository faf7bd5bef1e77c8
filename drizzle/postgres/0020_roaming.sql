CREATE TABLE "evse_names" (
	"record_version" bigint NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"location_id" text COLLATE "C" NOT NULL,
	"uid" text COLLATE "C" NOT NULL,
	CONSTRAINT "evse_names_key" PRIMARY KEY("account_id","name")
);

--> statement-breakpoint
CREATE TABLE "location_changes" (
	"record_version" bigint NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"location_id" text COLLATE "C" NOT NULL,
	"changed_at" bigint NOT NULL,
	CONSTRAINT "location_changes_key" PRIMARY KEY("account_id","location_id")
);

--> statement-breakpoint
CREATE TABLE "location_evses" (
	"record_version" bigint NOT NULL,
	"charge_point_id" text COLLATE "C" NOT NULL,
	"uid" text COLLATE "C" NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"location_id" text COLLATE "C" NOT NULL,
	"ocpp_evse_id" bigint,
	"place" text COLLATE "C",
	"shown" text COLLATE "C" NOT NULL,
	"shown_since" bigint NOT NULL,
	"unknown_due_at" bigint,
	CONSTRAINT "location_evses_key" PRIMARY KEY("charge_point_id","uid")
);

--> statement-breakpoint
CREATE TABLE "locations" (
	"record_version" bigint NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"location_id" text COLLATE "C" NOT NULL,
	"publish" bigint NOT NULL,
	"is_removed" bigint,
	"facts" text COLLATE "C" NOT NULL,
	"evses" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"last_updated" bigint NOT NULL,
	CONSTRAINT "locations_key" PRIMARY KEY("account_id","location_id")
);

--> statement-breakpoint
CREATE TABLE "cdrs" (
	"record_version" bigint NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"cdr_id" text COLLATE "C" NOT NULL,
	"partner_id" text COLLATE "C" NOT NULL,
	"session_id" text COLLATE "C" NOT NULL,
	"credit_of" text COLLATE "C",
	"facts" text COLLATE "C",
	"last_updated" bigint NOT NULL,
	CONSTRAINT "cdrs_key" PRIMARY KEY("account_id","cdr_id")
);

--> statement-breakpoint
CREATE TABLE "hub_clients" (
	"record_version" bigint NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"partner_id" text COLLATE "C" NOT NULL,
	"country_code" text COLLATE "C" NOT NULL,
	"party_id" text COLLATE "C" NOT NULL,
	"body" text COLLATE "C" NOT NULL,
	"last_updated" bigint NOT NULL,
	CONSTRAINT "hub_clients_key" PRIMARY KEY("account_id","partner_id","country_code","party_id")
);

--> statement-breakpoint
CREATE TABLE "ocpi_parties" (
	"record_version" bigint NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"country_code" text COLLATE "C" NOT NULL,
	"party_id" text COLLATE "C" NOT NULL,
	"business_details" text COLLATE "C" NOT NULL,
	"updated_at" bigint NOT NULL,
	CONSTRAINT "ocpi_parties_key" PRIMARY KEY("account_id")
);

--> statement-breakpoint
CREATE TABLE "partner_exchanges" (
	"record_version" bigint NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"partner_id" text COLLATE "C" NOT NULL,
	"exchange_id" text COLLATE "C" NOT NULL,
	"at" bigint NOT NULL,
	"direction" text COLLATE "C" NOT NULL,
	"method" text COLLATE "C" NOT NULL,
	"url" text COLLATE "C" NOT NULL,
	"status" bigint NOT NULL,
	"status_code" bigint,
	"request" text COLLATE "C",
	"response" text COLLATE "C",
	"duration_ms" bigint NOT NULL,
	"attempt" bigint NOT NULL,
	CONSTRAINT "partner_exchanges_key" PRIMARY KEY("account_id","partner_id","exchange_id")
);

--> statement-breakpoint
CREATE TABLE "partner_permits" (
	"record_version" bigint NOT NULL,
	"charge_point_id" text COLLATE "C" NOT NULL,
	"uid" text COLLATE "C" NOT NULL,
	"partner" text COLLATE "C" NOT NULL,
	"group_id" text COLLATE "C",
	"at" bigint NOT NULL,
	"until" bigint NOT NULL,
	CONSTRAINT "partner_permits_key" PRIMARY KEY("charge_point_id","uid")
);

--> statement-breakpoint
CREATE TABLE "partner_reservations" (
	"record_version" bigint NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"partner_id" text COLLATE "C" NOT NULL,
	"reservation_id" text COLLATE "C" NOT NULL,
	"location_id" text COLLATE "C" NOT NULL,
	"charge_point_id" text COLLATE "C" NOT NULL,
	"id" text COLLATE "C" NOT NULL,
	"at" bigint NOT NULL,
	CONSTRAINT "partner_reservations_key" PRIMARY KEY("account_id","partner_id","reservation_id")
);

--> statement-breakpoint
CREATE TABLE "partner_sessions" (
	"record_version" bigint NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"partner_id" text COLLATE "C" NOT NULL,
	"session_id" text COLLATE "C" NOT NULL,
	"last_updated" bigint NOT NULL,
	CONSTRAINT "partner_sessions_key" PRIMARY KEY("account_id","partner_id","session_id")
);

--> statement-breakpoint
CREATE TABLE "partner_tokens" (
	"record_version" bigint NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"uid" text COLLATE "C" NOT NULL,
	"partner_id" text COLLATE "C" NOT NULL,
	"country_code" text COLLATE "C" NOT NULL,
	"party_id" text COLLATE "C" NOT NULL,
	"type" text COLLATE "C" NOT NULL,
	"valid" bigint NOT NULL,
	"whitelist" text COLLATE "C" NOT NULL,
	"contract_id" text COLLATE "C" NOT NULL,
	"body" text COLLATE "C" NOT NULL,
	"last_updated" bigint NOT NULL,
	CONSTRAINT "partner_tokens_key" PRIMARY KEY("account_id","uid","partner_id","country_code","party_id","type")
);

--> statement-breakpoint
CREATE TABLE "partners" (
	"record_version" bigint NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"partner_id" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"state" text COLLATE "C" NOT NULL,
	"token_hashes" text COLLATE "C" NOT NULL,
	"sealed_token" text COLLATE "C",
	"versions_url" text COLLATE "C",
	"version" text COLLATE "C",
	"endpoints" text COLLATE "C" NOT NULL,
	"roles" text COLLATE "C" NOT NULL,
	"hub_party_id" text COLLATE "C",
	"last_contact_at" bigint,
	"tokens_pulled_at" bigint,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	CONSTRAINT "partners_key" PRIMARY KEY("account_id","partner_id")
);

--> statement-breakpoint
DROP INDEX "tariffs_account";
--> statement-breakpoint
ALTER TABLE "id_tokens" ADD COLUMN "tariff_id" text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "tariffs" ADD COLUMN "name" text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "tariffs" ADD COLUMN "vat" text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "tariffs" ADD COLUMN "elements" text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "tariffs" ADD COLUMN "tax_included" text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "tariffs" ADD COLUMN "min_price" text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "tariffs" ADD COLUMN "max_price" text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "tariffs" ADD COLUMN "type" text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "tariffs" ADD COLUMN "tariff_alt_text" text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "webhook_subscriptions" ADD COLUMN "partner_id" text COLLATE "C";
--> statement-breakpoint
CREATE INDEX "location_changes_account_id_changed_at" ON "location_changes" USING btree ("account_id","changed_at");
--> statement-breakpoint
CREATE INDEX "location_changes_changed_at" ON "location_changes" USING btree ("changed_at");
--> statement-breakpoint
CREATE INDEX "location_evses_account_id_location_id" ON "location_evses" USING btree ("account_id","location_id");
--> statement-breakpoint
CREATE INDEX "location_evses_unknown_due_at" ON "location_evses" USING btree ("unknown_due_at");
--> statement-breakpoint
CREATE INDEX "cdrs_account_id_partner_id_last_updated" ON "cdrs" USING btree ("account_id","partner_id","last_updated");
--> statement-breakpoint
CREATE INDEX "cdrs_account_id_session_id" ON "cdrs" USING btree ("account_id","session_id");
--> statement-breakpoint
CREATE INDEX "partner_exchanges_at" ON "partner_exchanges" USING btree ("at");
--> statement-breakpoint
CREATE INDEX "partner_sessions_account_id_partner_id_last_updated" ON "partner_sessions" USING btree ("account_id","partner_id","last_updated");
--> statement-breakpoint
CREATE INDEX "partner_tokens_account_id_partner_id_uid" ON "partner_tokens" USING btree ("account_id","partner_id","uid");
--> statement-breakpoint
CREATE INDEX "partners_partner_id" ON "partners" USING btree ("partner_id");
--> statement-breakpoint
CREATE UNIQUE INDEX "tariffs_account" ON "tariffs" USING btree ("account_id") WHERE charge_point_id IS NULL AND coalesce(name, '') = '' AND elements IS NULL;
