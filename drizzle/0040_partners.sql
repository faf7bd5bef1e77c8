ALTER TABLE `partners` ADD `tokens_pulled_at` integer;--> statement-breakpoint
CREATE INDEX `partners_partner_id` ON `partners` (`partner_id`);