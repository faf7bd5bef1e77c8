CREATE TABLE `password_links` (
	`hash` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`used_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `password_links_user` ON `password_links` (`user_id`);--> statement-breakpoint
CREATE TABLE `second_factors` (
	`user_id` text PRIMARY KEY NOT NULL,
	`sealed_secret` text NOT NULL,
	`recovery_hashes` text NOT NULL,
	`confirmed_at` integer,
	`last_step` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
ALTER TABLE `credentials` ADD `scopes` text;--> statement-breakpoint
ALTER TABLE `audit_events` ADD `actor` text;--> statement-breakpoint
ALTER TABLE `audit_events` ADD `role` text;--> statement-breakpoint
ALTER TABLE `audit_events` ADD `subject` text;--> statement-breakpoint
ALTER TABLE `audit_events` ADD `outcome` text;--> statement-breakpoint
CREATE INDEX `audit_events_actor` ON `audit_events` (`account_id`,`actor`,`id`);--> statement-breakpoint
UPDATE `users` SET `role` = 'viewer' WHERE `role` = 'member' AND `id` NOT IN (SELECT `user_id` FROM `grants` WHERE `revoked_at` IS NULL AND `scopes` LIKE '%"chargers:control"%');