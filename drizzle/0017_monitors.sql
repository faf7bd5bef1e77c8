CREATE TABLE `event_tallies` (
	`record_version` integer NOT NULL,
	`charge_point_id` text PRIMARY KEY NOT NULL,
	`hour` integer NOT NULL,
	`kept` integer NOT NULL,
	`dropped` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `monitor_sets` (
	`record_version` integer NOT NULL,
	`account_id` text NOT NULL,
	`name` text NOT NULL,
	`selector` text NOT NULL,
	`monitors` text NOT NULL,
	`revision` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`account_id`, `name`)
);
--> statement-breakpoint
CREATE TABLE `station_events` (
	`record_version` integer NOT NULL,
	`charge_point_id` text NOT NULL,
	`newness` integer NOT NULL,
	`id` text NOT NULL,
	`component_name` text NOT NULL,
	`event` text NOT NULL,
	`received_at` integer NOT NULL,
	PRIMARY KEY(`charge_point_id`, `newness`, `id`)
);
--> statement-breakpoint
CREATE INDEX `station_events_received_at` ON `station_events` (`received_at`);--> statement-breakpoint
CREATE INDEX `station_events_charge_point_id_component_name_newness_id` ON `station_events` (`charge_point_id`,`component_name`,`newness`,`id`);--> statement-breakpoint
CREATE TABLE `station_monitors` (
	`record_version` integer NOT NULL,
	`charge_point_id` text NOT NULL,
	`id` integer NOT NULL,
	`key` text NOT NULL,
	`monitor` text NOT NULL,
	`is_ours` integer NOT NULL,
	`seen_in` integer,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`charge_point_id`, `id`)
);
--> statement-breakpoint
ALTER TABLE `device_models` ADD `monitors_due_at` integer;--> statement-breakpoint
ALTER TABLE `device_models` ADD `monitor_failures` integer;--> statement-breakpoint
ALTER TABLE `reports` ADD `subject` text;