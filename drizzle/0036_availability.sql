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
CREATE INDEX `availability_orders_at` ON `availability_orders` (`at`);