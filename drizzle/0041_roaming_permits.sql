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
CREATE TABLE `hub_clients` (
	`record_version` integer NOT NULL,
	`account_id` text NOT NULL,
	`partner_id` text NOT NULL,
	`country_code` text NOT NULL,
	`party_id` text NOT NULL,
	`body` text NOT NULL,
	`last_updated` integer NOT NULL,
	PRIMARY KEY(`account_id`, `partner_id`, `country_code`, `party_id`)
);
--> statement-breakpoint
CREATE TABLE `partner_permits` (
	`record_version` integer NOT NULL,
	`charge_point_id` text NOT NULL,
	`uid` text NOT NULL,
	`partner` text NOT NULL,
	`group_id` text,
	`at` integer NOT NULL,
	`until` integer NOT NULL,
	PRIMARY KEY(`charge_point_id`, `uid`)
);
--> statement-breakpoint
CREATE TABLE `partner_reservations` (
	`record_version` integer NOT NULL,
	`account_id` text NOT NULL,
	`partner_id` text NOT NULL,
	`reservation_id` text NOT NULL,
	`location_id` text NOT NULL,
	`charge_point_id` text NOT NULL,
	`id` text NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`account_id`, `partner_id`, `reservation_id`)
);
--> statement-breakpoint
DROP INDEX `locations_account_id_last_updated`;--> statement-breakpoint
ALTER TABLE `location_evses` ADD `unknown_due_at` integer;--> statement-breakpoint
CREATE INDEX `location_evses_unknown_due_at` ON `location_evses` (`unknown_due_at`);