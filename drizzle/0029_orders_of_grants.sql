ALTER TABLE `log_requests` ADD `grant_id` text;--> statement-breakpoint
ALTER TABLE `security_profile_jobs` ADD `grant_id` text;--> statement-breakpoint
ALTER TABLE `reports` ADD `grant_id` text;