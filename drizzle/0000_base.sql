CREATE TABLE `accounts` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `credentials` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`name` text NOT NULL,
	`secret_hash` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	`revoked_at` integer,
	`last_used_at` integer,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `credentials_account` ON `credentials` (`account_id`);--> statement-breakpoint
CREATE TABLE `id_tokens` (
	`account_id` text NOT NULL,
	`id` text COLLATE NOCASE NOT NULL,
	`type` text NOT NULL,
	`status` text NOT NULL,
	`expires_at` integer,
	`group_id` text,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`account_id`, `id`),
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`email` text COLLATE NOCASE NOT NULL,
	`name` text,
	`role` text NOT NULL,
	`password_hash` text NOT NULL,
	`disabled_at` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_email_unique` ON `users` (`email`);--> statement-breakpoint
CREATE INDEX `users_account` ON `users` (`account_id`);--> statement-breakpoint
CREATE TABLE `charge_point_statuses` (
	`charge_point_id` text PRIMARY KEY NOT NULL,
	`document` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `charge_points` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`name` text,
	`password_hash` text,
	`security_profile` integer NOT NULL,
	`protocols` text,
	`validation` text,
	`registration_status` text NOT NULL,
	`disabled` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `charge_points_account` ON `charge_points` (`account_id`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `charge_points_id_nocase` ON `charge_points` (id COLLATE NOCASE);--> statement-breakpoint
CREATE TABLE `connectors` (
	`charge_point_id` text NOT NULL,
	`connector_key` text NOT NULL,
	`evse_id` integer,
	`connector_id` integer NOT NULL,
	`status` text NOT NULL,
	`error_code` text,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`charge_point_id`, `connector_key`)
);
--> statement-breakpoint
CREATE TABLE `commands` (
	`id` integer PRIMARY KEY NOT NULL,
	`charge_point` integer NOT NULL,
	`direction` integer NOT NULL,
	`method` integer NOT NULL,
	`message_id` text NOT NULL,
	`protocol` integer NOT NULL,
	`connector_id` integer,
	`evse_id` integer,
	`transaction_id` text,
	`status` integer NOT NULL,
	`request` text NOT NULL,
	`response` text,
	`error` text,
	`answered_at` integer,
	`schema_errors` text
);
--> statement-breakpoint
CREATE INDEX `commands_search` ON `commands` (`charge_point`,`id`,`method`,`connector_id`,`transaction_id`,`status`);--> statement-breakpoint
CREATE INDEX `commands_pending` ON `commands` (`id`) WHERE status = 0;--> statement-breakpoint
CREATE TABLE `log_charge_points` (
	`key` integer PRIMARY KEY NOT NULL,
	`name` text,
	`former_account_id` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `log_charge_points_name_unique` ON `log_charge_points` (`name`);--> statement-breakpoint
CREATE TABLE `log_methods` (
	`key` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `log_methods_name_unique` ON `log_methods` (`name`);--> statement-breakpoint
CREATE TABLE `log_protocols` (
	`key` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `log_protocols_name_unique` ON `log_protocols` (`name`);--> statement-breakpoint
CREATE TABLE `meta` (
	`name` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `events` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`session_id` text NOT NULL,
	`charge_point_id` text NOT NULL,
	`kind` text NOT NULL,
	`time` integer NOT NULL,
	`body` text NOT NULL,
	`causes` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `number_sequences` (
	`name` text PRIMARY KEY NOT NULL,
	`next` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`charge_point_id` text NOT NULL,
	`state` text NOT NULL,
	`energy_milli_wh` integer NOT NULL,
	`external_reference` text,
	`cost_micros` integer,
	`currency` text,
	`settlement_count` integer,
	`started_at` integer,
	`stopped_at` integer,
	`created_at` integer NOT NULL,
	`version` integer NOT NULL,
	`facts` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `sessions_account` ON `sessions` (`account_id`,`id`);--> statement-breakpoint
CREATE INDEX `sessions_charge_point` ON `sessions` (`charge_point_id`,`id`);--> statement-breakpoint
CREATE INDEX `sessions_open` ON `sessions` (`charge_point_id`) WHERE state NOT IN ('completed', 'failed');--> statement-breakpoint
CREATE TABLE `transactions` (
	`charge_point_id` text NOT NULL,
	`transaction_id` text NOT NULL,
	`start_key` text,
	`session_id` text NOT NULL,
	`open` integer NOT NULL,
	`document` text NOT NULL,
	PRIMARY KEY(`charge_point_id`, `transaction_id`)
);
--> statement-breakpoint
CREATE INDEX `transactions_start_key` ON `transactions` (`charge_point_id`,`start_key`) WHERE start_key IS NOT NULL;--> statement-breakpoint
CREATE INDEX `transactions_open` ON `transactions` (`charge_point_id`) WHERE open = 1;