CREATE TABLE `evse_names` (
	`record_version` integer NOT NULL,
	`account_id` text NOT NULL,
	`name` text NOT NULL,
	`location_id` text NOT NULL,
	`uid` text NOT NULL,
	PRIMARY KEY(`account_id`, `name`)
);
--> statement-breakpoint
CREATE TABLE `location_changes` (
	`record_version` integer NOT NULL,
	`account_id` text NOT NULL,
	`location_id` text NOT NULL,
	`changed_at` integer NOT NULL,
	PRIMARY KEY(`account_id`, `location_id`)
);
--> statement-breakpoint
CREATE INDEX `location_changes_account_id_changed_at` ON `location_changes` (`account_id`,`changed_at`);--> statement-breakpoint
CREATE INDEX `location_changes_changed_at` ON `location_changes` (`changed_at`);--> statement-breakpoint
CREATE TABLE `location_evses` (
	`record_version` integer NOT NULL,
	`charge_point_id` text NOT NULL,
	`uid` text NOT NULL,
	`account_id` text NOT NULL,
	`location_id` text NOT NULL,
	`ocpp_evse_id` integer,
	`place` text,
	`shown` text NOT NULL,
	`shown_since` integer NOT NULL,
	`unknown_due_at` integer,
	PRIMARY KEY(`charge_point_id`, `uid`)
);
--> statement-breakpoint
CREATE INDEX `location_evses_account_id_location_id` ON `location_evses` (`account_id`,`location_id`);--> statement-breakpoint
CREATE INDEX `location_evses_unknown_due_at` ON `location_evses` (`unknown_due_at`);--> statement-breakpoint
CREATE TABLE `locations` (
	`record_version` integer NOT NULL,
	`account_id` text NOT NULL,
	`location_id` text NOT NULL,
	`publish` integer NOT NULL,
	`is_removed` integer,
	`facts` text NOT NULL,
	`evses` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_updated` integer NOT NULL,
	PRIMARY KEY(`account_id`, `location_id`)
);
--> statement-breakpoint
CREATE TABLE `cdrs` (
	`record_version` integer NOT NULL,
	`account_id` text NOT NULL,
	`cdr_id` text NOT NULL,
	`partner_id` text NOT NULL,
	`session_id` text NOT NULL,
	`credit_of` text,
	`facts` text,
	`last_updated` integer NOT NULL,
	PRIMARY KEY(`account_id`, `cdr_id`)
);
--> statement-breakpoint
CREATE INDEX `cdrs_account_id_partner_id_last_updated` ON `cdrs` (`account_id`,`partner_id`,`last_updated`);--> statement-breakpoint
CREATE INDEX `cdrs_account_id_session_id` ON `cdrs` (`account_id`,`session_id`);--> statement-breakpoint
CREATE TABLE `hub_clients` (
	`record_version` integer NOT NULL,
	`account_id` text NOT NULL,
	`partner_id` text NOT NULL,
	`country_code` text NOT NULL,
	`party_id` text NOT NULL,
	`body` text NOT NULL,
	`last_updated` integer NOT NULL,
	PRIMARY KEY(`account_id`, `partner_id`, `country_code`, `party_id`)
);
--> statement-breakpoint
CREATE TABLE `ocpi_parties` (
	`record_version` integer NOT NULL,
	`account_id` text PRIMARY KEY NOT NULL,
	`country_code` text NOT NULL,
	`party_id` text NOT NULL,
	`business_details` text NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `partner_exchanges` (
	`record_version` integer NOT NULL,
	`account_id` text NOT NULL,
	`partner_id` text NOT NULL,
	`exchange_id` text NOT NULL,
	`at` integer NOT NULL,
	`direction` text NOT NULL,
	`method` text NOT NULL,
	`url` text NOT NULL,
	`status` integer NOT NULL,
	`status_code` integer,
	`request` text,
	`response` text,
	`duration_ms` integer NOT NULL,
	`attempt` integer NOT NULL,
	PRIMARY KEY(`account_id`, `partner_id`, `exchange_id`)
);
--> statement-breakpoint
CREATE INDEX `partner_exchanges_at` ON `partner_exchanges` (`at`);--> statement-breakpoint
CREATE TABLE `partner_permits` (
	`record_version` integer NOT NULL,
	`charge_point_id` text NOT NULL,
	`uid` text NOT NULL,
	`partner` text NOT NULL,
	`group_id` text,
	`at` integer NOT NULL,
	`until` integer NOT NULL,
	PRIMARY KEY(`charge_point_id`, `uid`)
);
--> statement-breakpoint
CREATE TABLE `partner_reservations` (
	`record_version` integer NOT NULL,
	`account_id` text NOT NULL,
	`partner_id` text NOT NULL,
	`reservation_id` text NOT NULL,
	`location_id` text NOT NULL,
	`charge_point_id` text NOT NULL,
	`id` text NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`account_id`, `partner_id`, `reservation_id`)
);
--> statement-breakpoint
CREATE TABLE `partner_sessions` (
	`record_version` integer NOT NULL,
	`account_id` text NOT NULL,
	`partner_id` text NOT NULL,
	`session_id` text NOT NULL,
	`last_updated` integer NOT NULL,
	PRIMARY KEY(`account_id`, `partner_id`, `session_id`)
);
--> statement-breakpoint
CREATE INDEX `partner_sessions_account_id_partner_id_last_updated` ON `partner_sessions` (`account_id`,`partner_id`,`last_updated`);--> statement-breakpoint
CREATE TABLE `partner_tokens` (
	`record_version` integer NOT NULL,
	`account_id` text NOT NULL,
	`uid` text NOT NULL,
	`partner_id` text NOT NULL,
	`country_code` text NOT NULL,
	`party_id` text NOT NULL,
	`type` text NOT NULL,
	`valid` integer NOT NULL,
	`whitelist` text NOT NULL,
	`contract_id` text NOT NULL,
	`body` text NOT NULL,
	`last_updated` integer NOT NULL,
	PRIMARY KEY(`account_id`, `uid`, `partner_id`, `country_code`, `party_id`, `type`)
);
--> statement-breakpoint
CREATE INDEX `partner_tokens_account_id_partner_id_uid` ON `partner_tokens` (`account_id`,`partner_id`,`uid`);--> statement-breakpoint
CREATE TABLE `partners` (
	`record_version` integer NOT NULL,
	`account_id` text NOT NULL,
	`partner_id` text NOT NULL,
	`name` text NOT NULL,
	`state` text NOT NULL,
	`token_hashes` text NOT NULL,
	`sealed_token` text,
	`versions_url` text,
	`version` text,
	`endpoints` text NOT NULL,
	`roles` text NOT NULL,
	`hub_party_id` text,
	`last_contact_at` integer,
	`tokens_pulled_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`account_id`, `partner_id`)
);
--> statement-breakpoint
CREATE INDEX `partners_partner_id` ON `partners` (`partner_id`);--> statement-breakpoint
DROP INDEX `tariffs_account`;--> statement-breakpoint
ALTER TABLE `tariffs` ADD `name` text;--> statement-breakpoint
ALTER TABLE `tariffs` ADD `vat` text;--> statement-breakpoint
ALTER TABLE `tariffs` ADD `elements` text;--> statement-breakpoint
ALTER TABLE `tariffs` ADD `tax_included` text;--> statement-breakpoint
ALTER TABLE `tariffs` ADD `min_price` text;--> statement-breakpoint
ALTER TABLE `tariffs` ADD `max_price` text;--> statement-breakpoint
ALTER TABLE `tariffs` ADD `type` text;--> statement-breakpoint
ALTER TABLE `tariffs` ADD `tariff_alt_text` text;--> statement-breakpoint
CREATE UNIQUE INDEX `tariffs_account` ON `tariffs` (`account_id`) WHERE charge_point_id IS NULL AND coalesce(name, '') = '' AND elements IS NULL;--> statement-breakpoint
ALTER TABLE `id_tokens` ADD `tariff_id` text;--> statement-breakpoint
ALTER TABLE `webhook_subscriptions` ADD `partner_id` text;