CREATE TABLE `identities` (
	`issuer` text NOT NULL,
	`subject` text NOT NULL,
	`user_id` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`issuer`, `subject`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `identities_user` ON `identities` (`user_id`,`issuer`);--> statement-breakpoint
CREATE TABLE `bulk_orders` (
	`record_version` integer NOT NULL,
	`account_id` text NOT NULL,
	`id` text NOT NULL,
	`state` text NOT NULL,
	`reason` text,
	`selector` text NOT NULL,
	`what` text NOT NULL,
	`is_sealed` integer NOT NULL,
	`by` text NOT NULL,
	`capabilities` text,
	`total` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`audit_id` integer,
	`campaign_id` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`account_id`, `id`)
);
--> statement-breakpoint
CREATE INDEX `bulk_orders_state` ON `bulk_orders` (`state`);--> statement-breakpoint
CREATE INDEX `bulk_orders_account_id_state` ON `bulk_orders` (`account_id`,`state`);--> statement-breakpoint
CREATE INDEX `bulk_orders_created_at` ON `bulk_orders` (`created_at`);--> statement-breakpoint
CREATE TABLE `bulk_order_rows` (
	`record_version` integer NOT NULL,
	`order_id` text NOT NULL,
	`station_id` text NOT NULL,
	`state` text NOT NULL,
	`reason` text,
	`command_id` text,
	`is_ordered` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`order_id`, `station_id`)
);
--> statement-breakpoint
CREATE INDEX `bulk_order_rows_order_id_state` ON `bulk_order_rows` (`order_id`,`state`);--> statement-breakpoint
CREATE INDEX `bulk_order_rows_updated_at` ON `bulk_order_rows` (`updated_at`);--> statement-breakpoint
CREATE TABLE `bulk_parts` (
	`record_version` integer NOT NULL,
	`charge_point_id` text NOT NULL,
	`order_id` text NOT NULL,
	`state` text NOT NULL,
	`request_id` integer,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`charge_point_id`, `order_id`)
);
--> statement-breakpoint
CREATE TABLE `availability_orders` (
	`record_version` integer NOT NULL,
	`charge_point_id` text NOT NULL,
	`id` integer NOT NULL,
	`at` integer NOT NULL,
	`evse_id` integer,
	`connector_id` integer,
	`available` integer NOT NULL,
	PRIMARY KEY(`charge_point_id`, `id`)
);
--> statement-breakpoint
CREATE INDEX `availability_orders_at` ON `availability_orders` (`at`);--> statement-breakpoint
CREATE TABLE `reservations` (
	`record_version` integer NOT NULL,
	`charge_point_id` text NOT NULL,
	`reservation_id` integer NOT NULL,
	`account_id` text NOT NULL,
	`id` text NOT NULL,
	`asked` text NOT NULL,
	`state` text NOT NULL,
	`reason` text,
	`session_id` text,
	`is_cancelling` integer NOT NULL,
	`next_attempt_at` integer NOT NULL,
	`changes` text NOT NULL,
	`expires_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`grant_id` text,
	PRIMARY KEY(`charge_point_id`, `reservation_id`)
);
--> statement-breakpoint
CREATE INDEX `reservations_id` ON `reservations` (`id`);--> statement-breakpoint
CREATE INDEX `reservations_expires_at` ON `reservations` (`expires_at`);--> statement-breakpoint
CREATE TABLE `running_costs` (
	`record_version` integer NOT NULL,
	`charge_point_id` text NOT NULL,
	`transaction_id` text NOT NULL,
	`session_id` text NOT NULL,
	`due_at` integer,
	`is_final` integer NOT NULL,
	`is_unsupported` integer NOT NULL,
	`told_at` integer,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`charge_point_id`, `transaction_id`)
);
--> statement-breakpoint
CREATE TABLE `customer_requests` (
	`record_version` integer NOT NULL,
	`charge_point_id` text NOT NULL,
	`request_id` integer NOT NULL,
	`account_id` text NOT NULL,
	`id` text NOT NULL,
	`asked` text NOT NULL,
	`state` text NOT NULL,
	`reason` text,
	`pages` text NOT NULL,
	`last_sequence` integer,
	`due_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`grant_id` text,
	PRIMARY KEY(`charge_point_id`, `request_id`)
);
--> statement-breakpoint
CREATE INDEX `customer_requests_id` ON `customer_requests` (`id`);--> statement-breakpoint
CREATE INDEX `customer_requests_due_at` ON `customer_requests` (`due_at`);--> statement-breakpoint
CREATE INDEX `customer_requests_grant_id` ON `customer_requests` (`grant_id`);--> statement-breakpoint
CREATE TABLE `station_messages` (
	`record_version` integer NOT NULL,
	`charge_point_id` text NOT NULL,
	`id` integer NOT NULL,
	`message` text NOT NULL,
	`seen_in` integer,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`charge_point_id`, `id`)
);
--> statement-breakpoint
CREATE TABLE `alert_mailings` (
	`record_version` integer NOT NULL,
	`account_id` text NOT NULL,
	`rule_id` text NOT NULL,
	`mail` text NOT NULL,
	`sent_at` integer NOT NULL,
	PRIMARY KEY(`account_id`, `rule_id`, `mail`)
);
--> statement-breakpoint
CREATE INDEX `alert_mailings_sent_at` ON `alert_mailings` (`sent_at`);--> statement-breakpoint
CREATE TABLE `station_care` (
	`record_version` integer NOT NULL,
	`charge_point_id` text PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	`by` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `budget_sums` (
	`record_version` integer NOT NULL,
	`account_id` text NOT NULL,
	`id_token` text NOT NULL,
	`per` text NOT NULL,
	`period_from` integer NOT NULL,
	`currency` text NOT NULL,
	`energy_milli_wh` integer NOT NULL,
	`cost_micros` integer NOT NULL,
	`changed_at` integer NOT NULL,
	PRIMARY KEY(`account_id`, `id_token`, `per`, `period_from`, `currency`)
);
--> statement-breakpoint
CREATE INDEX `budget_sums_changed_at` ON `budget_sums` (`changed_at`);--> statement-breakpoint
CREATE TABLE `preferences` (
	`record_version` integer NOT NULL,
	`user_id` text NOT NULL,
	`name` text NOT NULL,
	`value` text NOT NULL,
	PRIMARY KEY(`user_id`, `name`)
);
--> statement-breakpoint
CREATE TABLE `charging_demands` (
	`record_version` integer NOT NULL,
	`charge_point_id` text NOT NULL,
	`owner` text NOT NULL,
	`evse_id` integer NOT NULL,
	`caps` text NOT NULL,
	`asked` text,
	`revision` integer NOT NULL,
	`applied_revision` integer,
	`accepted_at` integer,
	`state` text NOT NULL,
	`reason` text,
	`grant_id` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`charge_point_id`, `owner`, `evse_id`)
);
--> statement-breakpoint
CREATE INDEX `charging_demands_grant_id` ON `charging_demands` (`grant_id`);--> statement-breakpoint
CREATE TABLE `charging_profiles` (
	`record_version` integer NOT NULL,
	`charge_point_id` text NOT NULL,
	`source` text NOT NULL,
	`id` integer NOT NULL,
	`evse_id` integer NOT NULL,
	`purpose` text NOT NULL,
	`stack_level` integer NOT NULL,
	`transaction_id` text,
	`valid_from` integer,
	`valid_to` integer,
	`owner` text NOT NULL,
	`profile` text NOT NULL,
	`state` text NOT NULL,
	`basis` text,
	`form` text,
	`refused_forms` text,
	`reason` text,
	`attempts` integer NOT NULL,
	`next_attempt_at` integer,
	`accepted_at` integer,
	`grant_id` text,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`charge_point_id`, `source`, `id`)
);
--> statement-breakpoint
CREATE INDEX `charging_profiles_grant_id` ON `charging_profiles` (`grant_id`);--> statement-breakpoint
CREATE TABLE `charging_stations` (
	`record_version` integer NOT NULL,
	`charge_point_id` text PRIMARY KEY NOT NULL,
	`abilities` text,
	`firmware_version` text,
	`is_known` integer NOT NULL,
	`clears_foreign` integer NOT NULL,
	`reading` text,
	`next_request_id` integer NOT NULL,
	`is_unsupported` integer NOT NULL,
	`key_amps` integer,
	`attempts` integer NOT NULL,
	`next_attempt_at` integer,
	`proofs` text NOT NULL,
	`resumed_at` text NOT NULL,
	`needs` text NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `charging_forms` (
	`record_version` integer NOT NULL,
	`account_id` text NOT NULL,
	`vendor` text NOT NULL,
	`model` text NOT NULL,
	`firmware_version` text NOT NULL,
	`refused` text NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`account_id`, `vendor`, `model`, `firmware_version`)
);
--> statement-breakpoint
CREATE TABLE `model_abilities` (
	`record_version` integer NOT NULL,
	`account_id` text NOT NULL,
	`vendor` text NOT NULL,
	`model` text NOT NULL,
	`limit_key` text,
	`abilities` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`account_id`, `vendor`, `model`)
);
--> statement-breakpoint
CREATE TABLE `wirings` (
	`record_version` integer NOT NULL,
	`charge_point_id` text PRIMARY KEY NOT NULL,
	`connectors` text NOT NULL,
	`priority` integer,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `local_lists` (
	`record_version` integer NOT NULL,
	`account_id` text NOT NULL,
	`name` text NOT NULL,
	`selector` text NOT NULL,
	`tokens` text NOT NULL,
	`content_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`grant_id` text,
	PRIMARY KEY(`account_id`, `name`)
);
--> statement-breakpoint
CREATE INDEX `local_lists_content_at` ON `local_lists` (`content_at`);--> statement-breakpoint
CREATE TABLE `local_list_entries` (
	`record_version` integer NOT NULL,
	`account_id` text NOT NULL,
	`list` text NOT NULL,
	`id_token` text NOT NULL,
	`entry` text NOT NULL,
	`gone` integer NOT NULL,
	`changed_at` integer NOT NULL,
	PRIMARY KEY(`account_id`, `list`, `id_token`)
);
--> statement-breakpoint
CREATE INDEX `local_list_entries_account_id_list_changed_at` ON `local_list_entries` (`account_id`,`list`,`changed_at`);--> statement-breakpoint
CREATE TABLE `station_lists` (
	`record_version` integer NOT NULL,
	`charge_point_id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`list` text,
	`wanted_at` integer NOT NULL,
	`held` text,
	`held_at` integer,
	`series` text,
	`version` integer NOT NULL,
	`asks_version` integer NOT NULL,
	`state` text NOT NULL,
	`reason` text,
	`attempts` integer NOT NULL,
	`next_attempt_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`forgotten` text
);
--> statement-breakpoint
CREATE INDEX `station_lists_account_id_charge_point_id` ON `station_lists` (`account_id`,`charge_point_id`);--> statement-breakpoint
CREATE TABLE `limit_groups` (
	`record_version` integer NOT NULL,
	`account_id` text NOT NULL,
	`name` text NOT NULL,
	`desired` text NOT NULL,
	`revision` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`account_id`, `name`)
);
--> statement-breakpoint
CREATE TABLE `limit_group_inputs` (
	`record_version` integer NOT NULL,
	`account_id` text NOT NULL,
	`name` text NOT NULL,
	`kind` text NOT NULL,
	`given` text NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`account_id`, `name`, `kind`)
);
--> statement-breakpoint
CREATE TABLE `limit_shares` (
	`record_version` integer NOT NULL,
	`account_id` text NOT NULL,
	`charge_point_id` text NOT NULL,
	`evse_id` integer NOT NULL,
	`name` text NOT NULL,
	`state` text NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`account_id`, `charge_point_id`, `evse_id`)
);
--> statement-breakpoint
CREATE TABLE `limit_plans` (
	`record_version` integer NOT NULL,
	`account_id` text NOT NULL,
	`root` text NOT NULL,
	`revision` integer NOT NULL,
	`told` text NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`account_id`, `root`)
);
--> statement-breakpoint
CREATE TABLE `limit_minutes` (
	`record_version` integer NOT NULL,
	`account_id` text NOT NULL,
	`name` text NOT NULL,
	`at` integer NOT NULL,
	`limit_amps` text NOT NULL,
	`allowed_amps` text NOT NULL,
	`draw_amps` text NOT NULL,
	`load_amps` text,
	`external` text,
	`draws` text,
	PRIMARY KEY(`account_id`, `name`, `at`)
);
--> statement-breakpoint
CREATE INDEX `limit_minutes_at` ON `limit_minutes` (`at`);--> statement-breakpoint
CREATE TABLE `session_reports` (
	`record_version` integer NOT NULL,
	`account_id` text NOT NULL,
	`name` text NOT NULL,
	`group_by` text NOT NULL,
	`schedule` text NOT NULL,
	`targets` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`due_at` integer NOT NULL,
	PRIMARY KEY(`account_id`, `name`)
);
--> statement-breakpoint
CREATE INDEX `session_reports_due_at` ON `session_reports` (`due_at`);--> statement-breakpoint
CREATE TABLE `report_mails` (
	`record_version` integer NOT NULL,
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`name` text NOT NULL,
	`mail` text NOT NULL,
	`group_by` text NOT NULL,
	`period_from` integer NOT NULL,
	`period_below` integer NOT NULL,
	`due_at` integer NOT NULL,
	`attempts` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `report_mails_due_at` ON `report_mails` (`due_at`);--> statement-breakpoint
CREATE INDEX `report_mails_created_at` ON `report_mails` (`created_at`);--> statement-breakpoint
CREATE TABLE `site_places` (
	`record_version` integer NOT NULL,
	`account_id` text NOT NULL,
	`site` text NOT NULL,
	`coordinates` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`account_id`, `site`)
);
--> statement-breakpoint
ALTER TABLE `id_tokens` ADD `session_limits` text;--> statement-breakpoint
ALTER TABLE `id_tokens` ADD `budget` text;--> statement-breakpoint
ALTER TABLE `id_tokens` ADD `priority` integer;--> statement-breakpoint
ALTER TABLE `id_tokens` ADD `language` text;--> statement-breakpoint
ALTER TABLE `users` ADD `break_glass` integer;--> statement-breakpoint
ALTER TABLE `device_models` ADD `display_due_at` integer;--> statement-breakpoint
ALTER TABLE `device_models` ADD `display_failures` integer;--> statement-breakpoint
ALTER TABLE `intents` ADD `grant_id` text;--> statement-breakpoint
CREATE INDEX `intents_grant_id` ON `intents` (`grant_id`);--> statement-breakpoint
CREATE INDEX `sessions_begun` ON `sessions` (`account_id`,(CASE WHEN started_at IS NULL THEN created_at ELSE started_at END),`id`,`charge_point_id`,`state`,`energy_milli_wh`,`cost_micros`,`currency`,`started_at`,`stopped_at`,`created_at`) WHERE state IN ('completed', 'failed');