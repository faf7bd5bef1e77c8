CREATE TABLE `configurations` (
	`record_version` integer NOT NULL,
	`account_id` text NOT NULL,
	`name` text NOT NULL,
	`selector` text NOT NULL,
	`priority` integer NOT NULL,
	`variables` text NOT NULL,
	`keys16` text NOT NULL,
	`reboot_policy` text NOT NULL,
	`reboot_window` text,
	`revision` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`account_id`, `name`)
);
--> statement-breakpoint
CREATE TABLE `device_models` (
	`record_version` integer NOT NULL,
	`charge_point_id` text PRIMARY KEY NOT NULL,
	`report_due_at` integer,
	`firmware_version` text,
	`failures` integer NOT NULL,
	`asks_in_tens` integer NOT NULL,
	`limits` text NOT NULL,
	`variable_count` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `intents` (
	`record_version` integer NOT NULL,
	`charge_point_id` text NOT NULL,
	`kind` text NOT NULL,
	`key` text NOT NULL,
	`account_id` text NOT NULL,
	`desired` text NOT NULL,
	`is_secret` integer NOT NULL,
	`variable` text,
	`revision` integer NOT NULL,
	`applied_revision` integer,
	`state` text NOT NULL,
	`reason` text,
	`attempts` integer NOT NULL,
	`next_attempt_at` integer,
	`expires_at` integer,
	`command_id` text,
	`firmware_version` text,
	`drifts` text NOT NULL,
	`reset_at` integer,
	`source` text,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`charge_point_id`, `kind`, `key`)
);
--> statement-breakpoint
CREATE INDEX `intents_state_expires_at` ON `intents` (`state`,`expires_at`);--> statement-breakpoint
CREATE INDEX `intents_account_id_charge_point_id_kind_key` ON `intents` (`account_id`,`charge_point_id`,`kind`,`key`);--> statement-breakpoint
CREATE INDEX `intents_account_id_state_charge_point_id_kind_key` ON `intents` (`account_id`,`state`,`charge_point_id`,`kind`,`key`);--> statement-breakpoint
CREATE INDEX `intents_account_id_kind_charge_point_id_key` ON `intents` (`account_id`,`kind`,`charge_point_id`,`key`);--> statement-breakpoint
CREATE INDEX `intents_account_id_state_kind_charge_point_id_key` ON `intents` (`account_id`,`state`,`kind`,`charge_point_id`,`key`);--> statement-breakpoint
CREATE TABLE `reports` (
	`record_version` integer NOT NULL,
	`charge_point_id` text NOT NULL,
	`id` integer NOT NULL,
	`state` text NOT NULL,
	`reason` text,
	`is_whole` integer NOT NULL,
	`is_automatic` integer NOT NULL,
	`to_ask` text NOT NULL,
	`asked_at` integer,
	`heard_at` integer,
	`seen` text NOT NULL,
	`last_sequence` integer,
	`ending` text,
	`truncated` integer NOT NULL,
	`variable_count` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`charge_point_id`, `id`)
);
--> statement-breakpoint
CREATE INDEX `reports_state` ON `reports` (`state`);--> statement-breakpoint
CREATE TABLE `station_models` (
	`record_version` integer NOT NULL,
	`vendor` text NOT NULL,
	`model` text NOT NULL,
	`asks_in_tens` integer NOT NULL,
	PRIMARY KEY(`vendor`, `model`)
);
--> statement-breakpoint
CREATE TABLE `value_batches` (
	`record_version` integer NOT NULL,
	`charge_point_id` text NOT NULL,
	`batch` text NOT NULL,
	`report_id` integer,
	`told` text NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`charge_point_id`, `batch`)
);
--> statement-breakpoint
CREATE TABLE `variables` (
	`record_version` integer NOT NULL,
	`charge_point_id` text NOT NULL,
	`key` text NOT NULL,
	`account_id` text NOT NULL,
	`component_name` text NOT NULL,
	`variable_name` text NOT NULL,
	`name` text NOT NULL,
	`value` text,
	`characteristics` text NOT NULL,
	`gone` integer NOT NULL,
	`seen_in` integer,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`charge_point_id`, `key`)
);
--> statement-breakpoint
CREATE INDEX `variables_account_id_charge_point_id_key` ON `variables` (`account_id`,`charge_point_id`,`key`);--> statement-breakpoint
CREATE INDEX `variables_account_id_variable_name_charge_point_id_key` ON `variables` (`account_id`,`variable_name`,`charge_point_id`,`key`);--> statement-breakpoint
CREATE INDEX `variables_account_id_component_name_variable_name_charge_point_id_key` ON `variables` (`account_id`,`component_name`,`variable_name`,`charge_point_id`,`key`);