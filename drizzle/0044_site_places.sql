CREATE TABLE `site_places` (
	`record_version` integer NOT NULL,
	`account_id` text NOT NULL,
	`site` text NOT NULL,
	`coordinates` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`account_id`, `site`)
);
