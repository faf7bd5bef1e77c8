CREATE TABLE `settlements` (
	`session_id` text NOT NULL,
	`number` integer NOT NULL,
	`cost_micros` integer,
	`currency` text,
	`energy_milli_wh` integer NOT NULL,
	`at` integer NOT NULL,
	`by` text NOT NULL,
	`reason` text,
	PRIMARY KEY(`session_id`, `number`)
);
--> statement-breakpoint
CREATE TABLE `tariffs` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`charge_point_id` text,
	`version` integer NOT NULL,
	`currency` text NOT NULL,
	`per_kwh_micros` integer NOT NULL,
	`per_minute_micros` integer NOT NULL,
	`per_session_micros` integer NOT NULL,
	`idle_per_minute_micros` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `tariffs_account` ON `tariffs` (`account_id`) WHERE charge_point_id IS NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `tariffs_charge_point` ON `tariffs` (`account_id`,`charge_point_id`) WHERE charge_point_id IS NOT NULL;--> statement-breakpoint
CREATE TABLE `webhook_attempts` (
	`delivery_id` text NOT NULL,
	`number` integer NOT NULL,
	`at` integer NOT NULL,
	`document` text NOT NULL,
	PRIMARY KEY(`delivery_id`, `number`, `at`)
);
--> statement-breakpoint
CREATE INDEX `webhook_attempts_age` ON `webhook_attempts` (`at`);--> statement-breakpoint
CREATE TABLE `webhook_deliveries` (
	`position` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`subscription_id` text NOT NULL,
	`event_id` text NOT NULL,
	`session_id` text NOT NULL,
	`kind` text NOT NULL,
	`state` text NOT NULL,
	`attempts` integer NOT NULL,
	`due_at` integer NOT NULL,
	`lease_until` integer,
	`created_at` integer NOT NULL,
	`finished_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `webhook_deliveries_id_unique` ON `webhook_deliveries` (`id`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_subscription` ON `webhook_deliveries` (`subscription_id`,`position`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_due` ON `webhook_deliveries` (`subscription_id`,`due_at`,`position`) WHERE state = 'pending';--> statement-breakpoint
CREATE INDEX `webhook_deliveries_in_flight` ON `webhook_deliveries` (`lease_until`) WHERE state = 'in_flight';--> statement-breakpoint
CREATE INDEX `webhook_deliveries_figures` ON `webhook_deliveries` (`session_id`) WHERE state = 'pending' AND kind = 'figures';--> statement-breakpoint
CREATE INDEX `webhook_deliveries_event` ON `webhook_deliveries` (`event_id`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_age` ON `webhook_deliveries` (`created_at`);--> statement-breakpoint
CREATE TABLE `webhook_subscriptions` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`grant_id` text,
	`url` text NOT NULL,
	`description` text,
	`updates` text NOT NULL,
	`charge_point_ids` text,
	`status` text NOT NULL,
	`disabled_reason` text,
	`disabled_at` integer,
	`secrets` text NOT NULL,
	`consecutive_failures` integer NOT NULL,
	`attempts_since_success` integer NOT NULL,
	`failing_since` integer,
	`last_success_at` integer,
	`last_error` text,
	`paused_until` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `webhook_subscriptions_account_url` ON `webhook_subscriptions` (`account_id`,`url`) WHERE grant_id IS NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `webhook_subscriptions_grant_url` ON `webhook_subscriptions` (`grant_id`,`url`) WHERE grant_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `webhook_subscriptions_account` ON `webhook_subscriptions` (`account_id`);--> statement-breakpoint
CREATE TABLE `webhook_test_events` (
	`id` text PRIMARY KEY NOT NULL,
	`time` integer NOT NULL,
	`body` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `events_account` ON `events` (`account_id`);--> statement-breakpoint
CREATE INDEX `events_session` ON `events` (`session_id`);--> statement-breakpoint
CREATE INDEX `sessions_figures_wait` ON `sessions` (`charge_point_id`) WHERE state IN ('completed', 'failed') AND json_extract(facts, '$.figuresDueAt') IS NOT NULL;