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
ALTER TABLE `intents` ADD `grant_id` text;--> statement-breakpoint
CREATE INDEX `intents_grant_id` ON `intents` (`grant_id`);--> statement-breakpoint
ALTER TABLE `device_models` ADD `display_due_at` integer;--> statement-breakpoint
ALTER TABLE `device_models` ADD `display_failures` integer;