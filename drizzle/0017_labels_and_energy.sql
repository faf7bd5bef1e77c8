CREATE TABLE `energy_slots` (
	`account_id` text NOT NULL,
	`slot` integer NOT NULL,
	`milli_wh` integer NOT NULL,
	PRIMARY KEY(`account_id`, `slot`)
);
--> statement-breakpoint
ALTER TABLE `charge_points` ADD `labels` text;--> statement-breakpoint
ALTER TABLE `connectors` ADD `vendor_error_code` text;--> statement-breakpoint
ALTER TABLE `connectors` ADD `info` text;--> statement-breakpoint
ALTER TABLE `connectors` ADD `since` integer;--> statement-breakpoint
ALTER TABLE `sessions` ADD `energy_at` integer;--> statement-breakpoint
ALTER TABLE `sessions` ADD `power_milli_w` integer;