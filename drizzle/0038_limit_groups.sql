CREATE TABLE `limit_groups` (
	`record_version` integer NOT NULL,
	`account_id` text NOT NULL,
	`name` text NOT NULL,
	`desired` text NOT NULL,
	`revision` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`account_id`, `name`)
);
--> statement-breakpoint
CREATE TABLE `limit_group_inputs` (
	`record_version` integer NOT NULL,
	`account_id` text NOT NULL,
	`name` text NOT NULL,
	`kind` text NOT NULL,
	`given` text NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`account_id`, `name`, `kind`)
);
--> statement-breakpoint
CREATE TABLE `limit_shares` (
	`record_version` integer NOT NULL,
	`account_id` text NOT NULL,
	`charge_point_id` text NOT NULL,
	`evse_id` integer NOT NULL,
	`name` text NOT NULL,
	`state` text NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`account_id`, `charge_point_id`, `evse_id`)
);
--> statement-breakpoint
CREATE TABLE `limit_plans` (
	`record_version` integer NOT NULL,
	`account_id` text NOT NULL,
	`root` text NOT NULL,
	`revision` integer NOT NULL,
	`told` text NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`account_id`, `root`)
);
--> statement-breakpoint
CREATE TABLE `limit_minutes` (
	`record_version` integer NOT NULL,
	`account_id` text NOT NULL,
	`name` text NOT NULL,
	`at` integer NOT NULL,
	`limit_amps` text NOT NULL,
	`allowed_amps` text NOT NULL,
	`draw_amps` text NOT NULL,
	`load_amps` text,
	`external` text,
	PRIMARY KEY(`account_id`, `name`, `at`)
);
--> statement-breakpoint
CREATE INDEX `limit_minutes_at` ON `limit_minutes` (`at`);