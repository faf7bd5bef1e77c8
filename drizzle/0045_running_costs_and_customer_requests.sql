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
ALTER TABLE `station_lists` ADD `forgotten` text;