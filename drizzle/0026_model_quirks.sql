CREATE TABLE `model_quirks` (
	`record_version` integer NOT NULL,
	`account_id` text NOT NULL,
	`vendor` text NOT NULL,
	`model` text NOT NULL,
	`firmware_version` text NOT NULL,
	`proved_by` text NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`account_id`, `vendor`, `model`, `firmware_version`)
);
--> statement-breakpoint
CREATE TABLE `unanswered_reports` (
	`record_version` integer NOT NULL,
	`charge_point_id` text PRIMARY KEY NOT NULL,
	`count` integer NOT NULL
);
