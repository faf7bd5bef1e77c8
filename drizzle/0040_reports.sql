CREATE TABLE `session_reports` (
	`record_version` integer NOT NULL,
	`account_id` text NOT NULL,
	`name` text NOT NULL,
	`group_by` text NOT NULL,
	`schedule` text NOT NULL,
	`targets` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`due_at` integer NOT NULL,
	PRIMARY KEY(`account_id`, `name`)
);
--> statement-breakpoint
CREATE INDEX `session_reports_due_at` ON `session_reports` (`due_at`);--> statement-breakpoint
CREATE TABLE `report_mails` (
	`record_version` integer NOT NULL,
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`name` text NOT NULL,
	`mail` text NOT NULL,
	`group_by` text NOT NULL,
	`period_from` integer NOT NULL,
	`period_below` integer NOT NULL,
	`due_at` integer NOT NULL,
	`attempts` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `report_mails_due_at` ON `report_mails` (`due_at`);--> statement-breakpoint
CREATE INDEX `report_mails_created_at` ON `report_mails` (`created_at`);