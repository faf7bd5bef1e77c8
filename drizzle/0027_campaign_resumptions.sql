CREATE TABLE `campaign_resumptions` (
	`record_version` integer NOT NULL,
	`campaign_id` text PRIMARY KEY NOT NULL,
	`at` integer NOT NULL
);
