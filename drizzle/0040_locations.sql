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
DROP INDEX `locations_account_id_last_updated`;--> statement-breakpoint
ALTER TABLE `location_evses` ADD `unknown_due_at` integer;--> statement-breakpoint
CREATE INDEX `location_evses_unknown_due_at` ON `location_evses` (`unknown_due_at`);