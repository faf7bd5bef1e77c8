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
