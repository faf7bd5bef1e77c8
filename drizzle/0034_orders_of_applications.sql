ALTER TABLE `installed_certificates` ADD `grant_id` text;--> statement-breakpoint
ALTER TABLE `limit_groups` ADD `grant_id` text;