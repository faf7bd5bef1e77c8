CREATE TABLE `outgoing_calls` (
	`record_version` integer NOT NULL,
	`charge_point_id` text NOT NULL,
	`id` integer NOT NULL,
	`message_id` text NOT NULL,
	`method` text NOT NULL,
	`request` text NOT NULL,
	`is_sealed` integer NOT NULL,
	`protocol` text NOT NULL,
	`priority` text NOT NULL,
	`expires_at` integer,
	`sent_at` integer,
	`purpose` text NOT NULL,
	PRIMARY KEY(`charge_point_id`, `id`)
);
--> statement-breakpoint
CREATE INDEX `outgoing_calls_expires_at` ON `outgoing_calls` (`expires_at`);--> statement-breakpoint
CREATE INDEX `outgoing_calls_sent_at` ON `outgoing_calls` (`sent_at`);