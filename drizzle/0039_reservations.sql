CREATE TABLE `reservations` (
	`record_version` integer NOT NULL,
	`charge_point_id` text NOT NULL,
	`reservation_id` integer NOT NULL,
	`account_id` text NOT NULL,
	`id` text NOT NULL,
	`asked` text NOT NULL,
	`state` text NOT NULL,
	`reason` text,
	`session_id` text,
	`is_cancelling` integer NOT NULL,
	`next_attempt_at` integer NOT NULL,
	`changes` text NOT NULL,
	`expires_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`grant_id` text,
	PRIMARY KEY(`charge_point_id`, `reservation_id`)
);
--> statement-breakpoint
CREATE INDEX `reservations_id` ON `reservations` (`id`);--> statement-breakpoint
CREATE INDEX `reservations_expires_at` ON `reservations` (`expires_at`);