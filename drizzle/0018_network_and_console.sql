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
CREATE TABLE `connection_history` (
	`record_version` integer NOT NULL,
	`charge_point_id` text NOT NULL,
	`id` integer NOT NULL,
	`part` integer NOT NULL,
	`kind` text NOT NULL,
	`at` integer NOT NULL,
	`details` text NOT NULL,
	`count` integer NOT NULL,
	`last_at` integer,
	PRIMARY KEY(`charge_point_id`, `id`, `part`)
);
--> statement-breakpoint
CREATE INDEX `connection_history_at` ON `connection_history` (`at`);--> statement-breakpoint
CREATE TABLE `data_transfers` (
	`record_version` integer NOT NULL,
	`account_id` text NOT NULL,
	`vendor` text NOT NULL,
	`vendor_id` text NOT NULL,
	`status` text NOT NULL,
	`data` text,
	`message_ids` text,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`account_id`, `vendor`)
);
--> statement-breakpoint
CREATE TABLE `refused_connections` (
	`record_version` integer NOT NULL,
	`account_id` text NOT NULL,
	`id` integer NOT NULL,
	`station` text NOT NULL,
	`at` integer NOT NULL,
	`last_at` integer,
	`count` integer NOT NULL,
	`reason` text NOT NULL,
	`detail` text NOT NULL,
	PRIMARY KEY(`account_id`, `id`)
);
--> statement-breakpoint
CREATE INDEX `refused_connections_at` ON `refused_connections` (`at`);--> statement-breakpoint
CREATE TABLE `timeline_folds` (
	`record_version` integer NOT NULL,
	`charge_point_id` text NOT NULL,
	`about` text NOT NULL,
	`id` integer NOT NULL,
	`part` integer NOT NULL,
	`at` integer NOT NULL,
	`count` integer NOT NULL,
	`since` integer NOT NULL,
	`entries` integer NOT NULL,
	`open_since` integer,
	PRIMARY KEY(`charge_point_id`, `about`)
);
--> statement-breakpoint
CREATE INDEX `timeline_folds_open_since` ON `timeline_folds` (`open_since`);--> statement-breakpoint
ALTER TABLE `certificate_requests` ADD `failed_at` integer;--> statement-breakpoint
CREATE INDEX `certificate_requests_account_id_failed_at` ON `certificate_requests` (`account_id`,`failed_at`);--> statement-breakpoint
CREATE INDEX `audit_events_at` ON `audit_events` (`at`);--> statement-breakpoint
CREATE INDEX `audit_events_ordered` ON `audit_events` (`outcome`) WHERE "audit_events"."outcome" = 'ordered';--> statement-breakpoint
CREATE INDEX `alerts_account_id_cleared_at` ON `alerts` (`account_id`,`cleared_at`);