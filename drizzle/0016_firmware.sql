CREATE TABLE `firmware_campaign_rows` (
	`record_version` integer NOT NULL,
	`campaign_id` text NOT NULL,
	`charge_point_id` text NOT NULL,
	`wave` integer NOT NULL,
	`state` text NOT NULL,
	`status` text,
	`reason` text,
	`request_id` integer,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`campaign_id`, `charge_point_id`)
);
--> statement-breakpoint
CREATE TABLE `firmware_campaigns` (
	`record_version` integer NOT NULL,
	`account_id` text NOT NULL,
	`id` text NOT NULL,
	`grant_id` text,
	`state` text NOT NULL,
	`reason` text,
	`selector` text NOT NULL,
	`target` text NOT NULL,
	`models` text,
	`hours` text,
	`waves` text NOT NULL,
	`max_failure_millionths` integer NOT NULL,
	`soak_ms` integer NOT NULL,
	`silence_ms` integer NOT NULL,
	`only_idle` integer NOT NULL,
	`retry_offline` integer NOT NULL,
	`wave` integer NOT NULL,
	`soak_until` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`account_id`, `id`)
);
--> statement-breakpoint
CREATE INDEX `firmware_campaigns_state` ON `firmware_campaigns` (`state`);--> statement-breakpoint
CREATE TABLE `firmware_images` (
	`record_version` integer NOT NULL,
	`account_id` text NOT NULL,
	`id` text NOT NULL,
	`version` text NOT NULL,
	`models` text,
	`file_name` text NOT NULL,
	`bytes` integer NOT NULL,
	`sha256` text NOT NULL,
	`certificate` text,
	`signature` text,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`account_id`, `id`)
);
--> statement-breakpoint
CREATE TABLE `firmware_updates` (
	`record_version` integer NOT NULL,
	`charge_point_id` text NOT NULL,
	`request_id` integer NOT NULL,
	`account_id` text NOT NULL,
	`campaign_id` text NOT NULL,
	`wave` integer NOT NULL,
	`target` text NOT NULL,
	`state` text NOT NULL,
	`status` text,
	`statuses` text NOT NULL,
	`reason` text,
	`only_idle` integer NOT NULL,
	`hours` text,
	`is_ordered` integer NOT NULL,
	`recalled` text,
	`attempts` integer NOT NULL,
	`not_before` integer,
	`silence_ms` integer NOT NULL,
	`is_asked` integer NOT NULL,
	`token_hash` text NOT NULL,
	`due_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`charge_point_id`, `request_id`)
);
--> statement-breakpoint
CREATE INDEX `firmware_updates_token_hash` ON `firmware_updates` (`token_hash`);--> statement-breakpoint
CREATE INDEX `firmware_updates_due_at` ON `firmware_updates` (`due_at`);--> statement-breakpoint
CREATE TABLE `log_requests` (
	`record_version` integer NOT NULL,
	`charge_point_id` text NOT NULL,
	`request_id` integer NOT NULL,
	`account_id` text NOT NULL,
	`type` text NOT NULL,
	`from_at` integer,
	`to_at` integer,
	`state` text NOT NULL,
	`status` text,
	`reason` text,
	`is_ordered` integer NOT NULL,
	`is_accepted` integer NOT NULL,
	`attempts` integer NOT NULL,
	`not_before` integer,
	`token_hash` text NOT NULL,
	`expires_at` integer NOT NULL,
	`due_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`file` text,
	PRIMARY KEY(`charge_point_id`, `request_id`)
);
--> statement-breakpoint
CREATE INDEX `log_requests_token_hash` ON `log_requests` (`token_hash`);--> statement-breakpoint
CREATE INDEX `log_requests_due_at` ON `log_requests` (`due_at`);