ALTER TABLE `users` ADD `sign_in_epoch` integer;--> statement-breakpoint
ALTER TABLE `configurations` ADD `grant_id` text;--> statement-breakpoint
ALTER TABLE `monitor_sets` ADD `grant_id` text;