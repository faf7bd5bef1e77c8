ALTER TABLE `partners` ADD `tokens_pulled_at` integer;--> statement-breakpoint
CREATE INDEX `partners_partner_id` ON `partners` (`partner_id`);--> statement-breakpoint
CREATE INDEX `location_changes_changed_at` ON `location_changes` (`changed_at`);