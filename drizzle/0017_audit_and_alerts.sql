CREATE TABLE `alert_acknowledgements` (
	`record_version` integer NOT NULL,
	`account_id` text NOT NULL,
	`alert_id` text NOT NULL,
	`at` integer NOT NULL,
	`by` text NOT NULL,
	PRIMARY KEY(`account_id`, `alert_id`)
);
--> statement-breakpoint
CREATE INDEX `alert_acknowledgements_at` ON `alert_acknowledgements` (`at`);--> statement-breakpoint
CREATE INDEX `audit_events_at` ON `audit_events` (`at`);--> statement-breakpoint
CREATE INDEX `audit_events_ordered` ON `audit_events` (`outcome`) WHERE "audit_events"."outcome" = 'ordered';--> statement-breakpoint
CREATE INDEX `alerts_account_id_cleared_at` ON `alerts` (`account_id`,`cleared_at`);