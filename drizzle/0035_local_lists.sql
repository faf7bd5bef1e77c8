CREATE TABLE `local_lists` (
	`record_version` integer NOT NULL,
	`account_id` text NOT NULL,
	`name` text NOT NULL,
	`selector` text NOT NULL,
	`tokens` text NOT NULL,
	`content_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`grant_id` text,
	PRIMARY KEY(`account_id`, `name`)
);
--> statement-breakpoint
CREATE INDEX `local_lists_content_at` ON `local_lists` (`content_at`);--> statement-breakpoint
CREATE TABLE `local_list_entries` (
	`record_version` integer NOT NULL,
	`account_id` text NOT NULL,
	`list` text NOT NULL,
	`id_token` text NOT NULL,
	`entry` text NOT NULL,
	`gone` integer NOT NULL,
	`changed_at` integer NOT NULL,
	PRIMARY KEY(`account_id`, `list`, `id_token`)
);
--> statement-breakpoint
CREATE INDEX `local_list_entries_account_id_list_changed_at` ON `local_list_entries` (`account_id`,`list`,`changed_at`);--> statement-breakpoint
CREATE TABLE `station_lists` (
	`record_version` integer NOT NULL,
	`charge_point_id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`list` text,
	`wanted_at` integer NOT NULL,
	`held` text,
	`held_at` integer,
	`series` text,
	`version` integer NOT NULL,
	`asks_version` integer NOT NULL,
	`state` text NOT NULL,
	`reason` text,
	`attempts` integer NOT NULL,
	`next_attempt_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `station_lists_account_id_charge_point_id` ON `station_lists` (`account_id`,`charge_point_id`);