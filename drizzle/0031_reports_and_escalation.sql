CREATE TABLE `sent_reports` (
	`record_version` integer NOT NULL,
	`account_id` text NOT NULL,
	`name` text NOT NULL,
	`mail` text NOT NULL,
	`period_from` integer NOT NULL,
	`period_below` integer NOT NULL,
	`sent_at` integer NOT NULL,
	PRIMARY KEY(`account_id`, `name`, `mail`)
);
--> statement-breakpoint
CREATE INDEX `sent_reports_sent_at` ON `sent_reports` (`sent_at`);--> statement-breakpoint
ALTER TABLE `alert_rules` ADD `escalation` text;--> statement-breakpoint
ALTER TABLE `alerts` ADD `escalated_at` integer;--> statement-breakpoint
ALTER TABLE `session_reports` ADD `format` text DEFAULT 'csv' NOT NULL;--> statement-breakpoint
ALTER TABLE `report_mails` ADD `format` text DEFAULT 'csv' NOT NULL;--> statement-breakpoint
ALTER TABLE `report_mails` ADD `failure` text;--> statement-breakpoint
CREATE INDEX `report_mails_account_id_name` ON `report_mails` (`account_id`,`name`);